import type { Clock } from "../../../ports/clock.ts";

/** Beside the first sign-in: three authorization requests for one operation in all. */
const STEP_UPS_LIMIT = 2;
/** A server that names other scopes every time gets no more than these either. */
const ALL_STEP_UPS_LIMIT = 8;
/** After this long a refusal is another story. */
const REMEMBERED_MS = 600_000;

/** Counts what a server asks of a person again and again (U8). */
export interface StepUps {
  /** Counts one, unless this very authorization was counted already. `false`: it was one too many. */
  allow(scopes: readonly string[], generation: string): boolean;
}

export function createStepUps(clock: Clock): StepUps {
  let counted: readonly { readonly scopes: string; readonly generation: string; readonly atMs: number }[] =
    [];
  return {
    allow: (wanted, generation) => {
      const atMs = clock.monotonicMs();
      const scopes = wanted.toSorted().join(" ");
      counted = counted.filter((one) => atMs - one.atMs < REMEMBERED_MS);
      const same = counted.filter((one) => one.scopes === scopes);
      if (same.some((one) => one.generation === generation)) return true;
      if (same.length >= STEP_UPS_LIMIT || counted.length >= ALL_STEP_UPS_LIMIT) return false;
      counted = [...counted, { scopes, generation, atMs }];
      return true;
    },
  };
}
