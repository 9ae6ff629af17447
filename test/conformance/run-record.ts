import { writeFile } from "node:fs/promises";

import type { Egress } from "../../src/composition/index.ts";
import { RefusedError } from "./refused-error.ts";

/** Which file to leave the record in. Set by `scripts/conformance.ts`. */
export const RECORD_VARIABLE = "SALLYPORT_CONFORMANCE_RECORD";

/** What one run of the client leaves behind, so that the suite's word is not all there is. */
export interface RunRecord {
  /** `done`, `kind/reason` of the refusal that ended it, or `crashed`. */
  readonly ending: string;
  /** Everything that left through the egress, as `METHOD path`. */
  readonly requests: readonly string[];
}

/** Wraps the one way out, and keeps what was asked through it. */
export function recordRequests(egress: Egress, requests: string[]): Egress {
  return {
    ...egress,
    fetch: (target, request, options) => {
      requests.push(`${request.method} ${new URL(target.href).pathname}`);
      return egress.fetch(target, request, options);
    },
  };
}

export function endingOf(error: unknown): string {
  return error instanceof RefusedError ? `${error.refusal.kind}/${error.refusal.reason}` : "crashed";
}

export async function leaveRecord(path: string | undefined, record: RunRecord): Promise<void> {
  if (path !== undefined) await writeFile(path, JSON.stringify(record));
}
