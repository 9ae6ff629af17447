import { admitTarget } from "../egress/target.ts";

/**
 * Whether metadata may name this URL: https without user information or fragment, or http to literal
 * loopback (E1, E2). Addresses are judged when the request is made.
 */
export function isSecureEndpoint(url: string): boolean {
  const target = admitTarget(url, { allowDestinations: [] });
  if (target.ok) return true;
  // Only the host's own egress policy knows whether it allowed this very destination, over https (E5).
  return target.refusal.reason === "private-address" && new URL(url).protocol === "https:";
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
