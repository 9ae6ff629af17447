import { admitTarget } from "../egress/target.ts";

/** What only the host's own egress policy can judge: it may have allowed this very destination (E5). */
const POLICY_REASONS: readonly string[] = ["private-address"];

/**
 * Whether metadata may name this URL: https without user information or fragment, or http to literal
 * loopback (E1, E2). Addresses are judged when the request is made.
 */
export function isSecureEndpoint(url: string): boolean {
  const target = admitTarget(url, { allowDestinations: [] });
  return target.ok || POLICY_REASONS.includes(target.refusal.reason);
}

/** Whether the host of a URL is literally this machine (E2). */
export function isLoopback(url: string): boolean {
  const target = admitTarget(url, { allowDestinations: [] });
  return target.ok && target.value.loopback;
}

/**
 * Whether `url`, named by what was read at `namedAt`, may be contacted: nothing on the network may point
 * this machine at its own services.
 */
export function mayName(namedAt: string, url: string): boolean {
  return isSecureEndpoint(url) && (!isLoopback(url) || isLoopback(namedAt));
}
