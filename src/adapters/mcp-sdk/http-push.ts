import { createEventStreamParser, type EventStreamParser } from "../../domain/http/event-stream.ts";
import type { HeaderPair } from "../../domain/http/headers.ts";
import type { WireMessage } from "../../domain/http/message.ts";
import { createReopenBudget, reopenDelayMs } from "../../domain/http/reopen.ts";
import type { CarrierPush } from "../../domain/session/list-push.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import { CarrierError } from "./carrier.ts";
import { authorizedExchange } from "./http-authorization.ts";
import { readIncoming } from "./http-incoming.ts";
import { sessionError, type HttpLink } from "./http-link.ts";
import { isResumableId, mediaType } from "./http-wire.ts";

/** Of the older era's GET stream (H3b): `none` in 2026-07-28 and where the server answers 405, another type or a refusal. */
export type PushState = CarrierPush;

export interface HttpPushOptions {
  headers(lastEventId: string | undefined): readonly HeaderPair[];
  forward(message: WireMessage): void;
  onState(state: PushState): void;
  /** A stream that had been open was answered with 404: the session is gone. */
  onExpired(sessionId: string): void;
}

export interface HttpPush {
  readonly state: PushState;
  /** Opens the stream of a session that was just made, and leaves an earlier one. */
  open(sessionId: string | undefined): void;
  close(reason: CarrierError): void;
}

/** Keeps at most one GET stream for a carrier. */
export function createHttpPush(link: HttpLink, options: HttpPushOptions): HttpPush {
  let state: PushState = "none";
  let opened: AbortController | undefined;
  const setState = (next: PushState): void => {
    if (next === state) return;
    state = next;
    options.onState(next);
  };
  return {
    get state() {
      return state;
    },
    open(sessionId) {
      opened?.abort(sessionError(link, "closed", { stage: "connect" }));
      const controller = new AbortController();
      opened = controller;
      void keepOpen(link, {
        headers: (lastEventId) => options.headers(lastEventId),
        forward: (message) => options.forward(message),
        onState: setState,
        onExpired: () => {
          setState("none");
          if (sessionId !== undefined) options.onExpired(sessionId);
        },
        signal: controller.signal,
      });
    },
    close(reason) {
      opened?.abort(reason);
      setState("none");
    },
  };
}

interface Keeping extends Omit<HttpPushOptions, "onExpired"> {
  onExpired(): void;
  readonly signal: AbortSignal;
}

/** What became of one opening. */
type Opening = "ended" | "ended-usefully" | "failed" | "unsupported" | "expired" | "broken";

/** Keeps the server's GET stream open until the signal aborts or it is given up. Never rejects. */
async function keepOpen(link: HttpLink, options: Keeping): Promise<void> {
  const budget = createReopenBudget();
  const memory: PushMemory = { opened: false, lastEventId: undefined, retryMs: undefined };
  let fruitless = 0;
  for (;;) {
    const opening = await openOnce(link, options, memory);
    if (options.signal.aborted) return;
    if (opening === "unsupported") return options.onState("none");
    if (opening === "broken") return options.onState("no-push");
    if (opening === "expired") return options.onExpired();
    fruitless = opening === "ended-usefully" ? 0 : fruitless + 1;
    const delayMs = reopenDelayMs(memory.retryMs, fruitless);
    if (budget.waitMs(link.clock.nowMs() + delayMs) > 0) return options.onState("no-push");
    options.onState("waiting");
    try {
      await link.clock.wait(delayMs, options);
    } catch {
      return; // only the signal ends a wait early
    }
    budget.spend(link.clock.nowMs());
  }
}

interface PushMemory {
  opened: boolean;
  lastEventId: string | undefined;
  retryMs: number | undefined;
}

async function openOnce(link: HttpLink, options: Keeping, memory: PushMemory): Promise<Opening> {
  let response: EgressResponse;
  try {
    const headers = options.headers(memory.lastEventId);
    response = await authorizedExchange(link, { method: "GET", headers }, options.signal);
  } catch (error) {
    // What policy refuses once it refuses again; only the network's failures are tried again.
    const isNetwork = error instanceof CarrierError && error.failure.refusal.kind === "network";
    return isNetwork ? "failed" : "unsupported";
  }
  if (response.status === 200 && mediaType(response.header("content-type")) === "text/event-stream") {
    memory.opened = true;
    options.onState("open");
    return readPush(link, { options, memory, response });
  }
  response.discard();
  // Servers without such a stream answer 404 as well as 405: only where there was one is it news.
  if (response.status === 404 && memory.opened) return "expired";
  return response.status >= 500 || response.status === 429 ? "failed" : "unsupported";
}

async function readPush(
  link: HttpLink,
  state: { readonly options: Keeping; readonly memory: PushMemory; readonly response: EgressResponse },
): Promise<Opening> {
  const { options, memory, response } = state;
  const parser = createEventStreamParser({ limitBytes: link.limits.messageBytes });
  let useful = false;
  try {
    for await (const chunk of response.body) {
      const took = takePushed(parser, chunk, options);
      remember(memory, parser);
      if (took === "broken") return "broken";
      useful ||= took === "useful";
    }
  } catch {
    // A cut is an end: the stream carries no answer that could be lost with it.
  } finally {
    response.discard();
  }
  return useful ? "ended-usefully" : "ended";
}

function takePushed(
  parser: EventStreamParser,
  chunk: Uint8Array,
  options: Keeping,
): "useful" | "nothing" | "broken" {
  let useful = false;
  for (const event of parser.push(chunk)) {
    if (event.type !== "message" || event.data === "") continue;
    const incoming = readIncoming(event.data, undefined);
    if (incoming.kind === "invalid") return "broken";
    // A response here answers nobody: it would count only on its own request's stream.
    if (incoming.kind !== "server-message" || options.signal.aborted) continue;
    options.forward(incoming.message);
    useful = true;
  }
  if (parser.overflowed) return "broken";
  return useful ? "useful" : "nothing";
}

function remember(memory: PushMemory, parser: EventStreamParser): void {
  if (isResumableId(parser.lastEventId)) memory.lastEventId = parser.lastEventId;
  memory.retryMs = parser.retryMs ?? memory.retryMs;
}
