import type { Random } from "../../ports/random.ts";

/** The generator that every web-standard runtime has. */
export function createWebRandom(): Random {
  return { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };
}
