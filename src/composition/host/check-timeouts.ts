import { TIMEOUT_LIMIT_MS } from "../../domain/definition/limits.ts";
import type { HostTimeouts } from "./host-options.ts";

/**
 * Looks at a host's own timeouts when it is made, not when a server is first used.
 *
 * @throws TypeError with the code `timeouts` for what is no time: a bound that bounds nothing must not come of a slip.
 */
export function checkTimeouts({ startupMs, perCallMs, toolCallMs, idleMs }: HostTimeouts = {}): void {
  const bounded = [startupMs, perCallMs, toolCallMs, idleMs === Infinity ? undefined : idleMs];
  if (bounded.every((ms) => ms === undefined || (ms >= 1 && ms <= TIMEOUT_LIMIT_MS))) return;
  const message = `timeouts are milliseconds from 1 to ${TIMEOUT_LIMIT_MS}; idleMs may be Infinity`;
  throw Object.assign(new TypeError(message), { code: "timeouts" });
}
