import { EgressError } from "../../ports/egress.ts";

/** One exchange's time: it ends by its own completion, by the caller's signal or by closing the egress. */
export interface Life {
  /** Aborts with the caller's own reason, or with {@link CLOSED}. */
  readonly signal: AbortSignal;
  /** Nothing is needed any more: lets go of the caller's signal. Idempotent. */
  end(): void;
}

/** Why an exchange ends that was under way while the egress closed. */
export const CLOSED: EgressError = new EgressError({ kind: "egress", reason: "closed" });

/** The exchanges of one egress that are under way. */
export class Lives {
  readonly #running = new Map<AbortController, Life>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  begin(caller: AbortSignal): Life {
    const controller = new AbortController();
    const abort = (): void => {
      life.end();
      controller.abort(caller.reason);
    };
    const life: Life = {
      signal: controller.signal,
      end: () => {
        this.#running.delete(controller);
        caller.removeEventListener("abort", abort);
      },
    };
    this.#running.set(controller, life);
    caller.addEventListener("abort", abort, { once: true });
    return life;
  }

  close(): void {
    this.#closed = true;
    for (const [controller, life] of this.#running) {
      life.end();
      controller.abort(CLOSED);
    }
  }
}
