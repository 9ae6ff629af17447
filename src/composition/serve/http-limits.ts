import type { HttpLimits } from "../../adapters/node-http/http-limits.ts";

/** Contract R8. */
export const HTTP_LIMITS: HttpLimits = Object.freeze({
  bodyLimitBytes: 1024 * 1024,
  concurrentRequestsLimit: 16,
  connectionsLimit: 32,
  headLimitBytes: 16 * 1024,
  headTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
});

/** The longest that Node's timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Fills in what was left out. Throws a `TypeError` with the code `limit-invalid`: no bound can be switched off. */
export function httpLimits(given: Partial<HttpLimits> = {}): HttpLimits {
  const limits = { ...HTTP_LIMITS, ...given };
  const bounds = Object.values(limits);
  const sound = bounds.every((bound) => Number.isInteger(bound) && bound > 0 && bound <= LONGEST_MS);
  if (!sound || limits.requestTimeoutMs < limits.headTimeoutMs) throw misuse("limit-invalid");
  return limits;
}

/** A caller's bug, told by its code. */
export function misuse(code: string): TypeError {
  return Object.assign(new TypeError(`an MCP HTTP host cannot be built: ${code}`), { code });
}
