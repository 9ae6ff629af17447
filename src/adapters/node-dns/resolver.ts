import { lookup } from "node:dns/promises";

import { HostFault } from "../../domain/fault.ts";
import type { Resolver } from "../../ports/resolver.ts";

/** The name has no address: an answer, not a failure. */
const NO_ADDRESS: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME", "EAI_NODATA"]);

/**
 * Creates the system's own resolver (getaddrinfo): it honours the hosts file, VPN and split-horizon rules as
 * every other program of the machine does. Every address of both families, in the system's order; an empty
 * list for a name that has none. Rejects with `signal.reason`, or with a `HostFault` when resolving failed.
 *
 * A lookup under way cannot be stopped; an abort ends the waiting, and the late answer is dropped.
 */
export function createSystemResolver(): Resolver {
  return {
    resolve: (host, { signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const stop = (): void => reject(signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        lookUp(host)
          .finally(() => signal.removeEventListener("abort", stop))
          .then(resolve, reject);
      }),
  };
}

async function lookUp(host: string): Promise<readonly string[]> {
  try {
    const answers = await lookup(host, { all: true, order: "verbatim" });
    return answers.map(({ address }) => address);
  } catch (error) {
    if (NO_ADDRESS.has(codeOf(error))) return [];
    throw new HostFault("unexpected", { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
