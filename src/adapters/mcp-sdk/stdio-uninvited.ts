import type { Clock } from "../../ports/clock.ts";
import type { StdioLimits } from "./stdio-limits.ts";
import { createTokenBucket } from "./stdio-rate.ts";

/** Weighs what a server sends unasked (X5). */
export interface Uninvited {
  /** `drop`: over the rate; `flood`: so much was dropped that the connection is no use. */
  weigh(bytes: number): "pass" | "drop" | "flood";
  /** Counts one that was dropped for another reason. */
  drop(): void;
  dropped(): number;
}

const BYTES_A_TOKEN = 65_536;

export function createUninvited(limits: StdioLimits, clock: Clock): Uninvited {
  const rate = createTokenBucket(limits.uninvited, clock);
  const patience = createTokenBucket(limits.dropped, clock);
  let dropped = 0;
  return {
    weigh: (bytes) => {
      const cost = 1 + bytes / BYTES_A_TOKEN;
      if (rate.take(cost)) return "pass";
      dropped += 1;
      return patience.take(cost) ? "drop" : "flood";
    },
    drop: () => {
      dropped += 1;
    },
    dropped: () => dropped,
  };
}
