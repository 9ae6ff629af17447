import { randomBytes } from "node:crypto";

import type { Random } from "../../ports/random.ts";

/** The operating system's generator. */
export function createSystemRandom(): Random {
  return { bytes: (count) => new Uint8Array(randomBytes(count)) };
}
