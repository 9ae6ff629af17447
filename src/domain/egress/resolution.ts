import { accept, refuse, type Outcome } from "../outcome.ts";
import { addressFamily, judgeAddress } from "./address.ts";
import type { EgressRefusal } from "./refusal.ts";
import { isAllowedDestination, type AdmittedTarget, type EgressPolicy } from "./target.ts";

/** An address that was checked for one exchange: the only place its socket may go to (E6). */
export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A name with more addresses than this is not a service but an attempt to be busy. */
export const MOST_ADDRESSES = 64;

/** The addresses that need no resolver: loopback by name (E2) and literals. `undefined`: ask DNS. */
export function knownAddresses(target: AdmittedTarget): readonly string[] | undefined {
  if (target.hostname === "localhost") return ["127.0.0.1", "::1"];
  return addressFamily(target.hostname) === undefined ? undefined : [target.hostname];
}

/**
 * Checks every address of one answer (E3–E5); one that is not fit refuses the whole name, since which of
 * them a connection would use is the attacker's choice. The order of the answer is kept, with the families
 * taking turns so that a broken one costs a single attempt (RFC 8305 section 4); repeated addresses fall out.
 *
 * Refuses with `unresolvable` (none, or more than 64), `metadata-address` or `private-address`.
 */
export function judgeResolution(
  target: AdmittedTarget,
  addresses: readonly string[],
  policy: EgressPolicy,
): Outcome<readonly PinnedAddress[], EgressRefusal> {
  if (addresses.length === 0 || addresses.length > MOST_ADDRESSES) {
    return refuse({ kind: "egress", reason: "unresolvable" });
  }
  const verdicts = addresses.map(judgeAddress);
  if (verdicts.includes("metadata")) return refuse({ kind: "egress", reason: "metadata-address" });
  const allowed = isAllowedDestination(target, policy);
  const fit = verdicts.every((verdict) => {
    if (target.loopback) return verdict === "loopback";
    return verdict === "public" || (allowed && (verdict === "private" || verdict === "loopback"));
  });
  return fit ? accept(pin(addresses)) : refuse({ kind: "egress", reason: "private-address" });
}

function pin(addresses: readonly string[]): readonly PinnedAddress[] {
  const pins = [...new Set(addresses)].map((address): PinnedAddress => {
    return { address, family: address.includes(":") ? 6 : 4 };
  });
  const first = pins.filter((pin) => pin.family === pins[0]?.family);
  const second = pins.filter((pin) => pin.family !== pins[0]?.family);
  const longer = Math.max(first.length, second.length);
  return Array.from({ length: longer }, (_, i) => [first[i], second[i]])
    .flat()
    .filter((pin) => pin !== undefined);
}
