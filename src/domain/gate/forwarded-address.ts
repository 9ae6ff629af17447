import ipaddr from "ipaddr.js";

import { accept, refuse, type Outcome } from "../outcome.ts";

/** Says whether an address is a proxy that the owner configured. */
export type TrustedProxies = (address: string) => boolean;

/** More proxies than any deployment has; each is compared for each hop. */
const PROXIES_LIMIT = 256;
const NONE: TrustedProxies = () => false;
const ZONE = /%[^%]*$/;
/** `1.2.3.4:5678` and `[::1]:5678`, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/;

/** Reads `trustedProxies`: addresses and blocks (`10.0.0.0/8`). Refuses the position of the first that is neither. */
export function trustedProxies(entries: readonly string[]): Outcome<TrustedProxies, number> {
  if (entries.length === 0) return accept(NONE);
  if (entries.length > PROXIES_LIMIT) return refuse(PROXIES_LIMIT);
  const blocks: (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[] = [];
  for (const [position, entry] of entries.entries()) {
    const block = readBlock(entry);
    if (block === undefined) return refuse(position);
    blocks.push(block);
  }
  return accept((address) => {
    const parsed = readAddress(address);
    return parsed !== undefined && blocks.some((block) => holds(block, parsed));
  });
}

/**
 * The address a request came from (R6). `forwarded` are the values of `X-Forwarded-For`: each proxy appends whom it
 * heard from, so they are walked from the right, for as long as whoever appended is a configured proxy. Everything to
 * the left of that is the caller's own claim. `undefined`: a trusted proxy says nothing that is an address.
 */
export function callerAddress(
  peer: string | undefined,
  { forwarded, trusted }: { readonly forwarded: readonly string[]; readonly trusted: TrustedProxies },
): string | undefined {
  // Which interface a link-local peer is on (RFC 4007 section 11) is this machine's own word, and no part of the address.
  let address = peer === undefined ? undefined : readAddress(peer.replace(ZONE, ""))?.toString();
  if (address === undefined || !trusted(address)) return address;
  const hops = forwarded.join(",").split(",");
  while (address !== undefined && trusted(address)) {
    const hop = hops.pop()?.trim();
    if (hop === undefined || (hop === "" && hops.length === 0)) return address;
    address = readAddress(withoutPort(hop))?.toString();
  }
  return address;
}

/**
 * The key that failures are counted under: of IPv6 the /64, which is the least that anybody is given (RFC 6177), so
 * that a caller cannot take a new address for each try.
 */
export function throttleKey(address: string | undefined): string {
  const parsed = address === undefined ? undefined : readAddress(address);
  if (parsed === undefined) return "";
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}

function readBlock(entry: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const address = readAddress(entry);
  if (address !== undefined) return [address, address.kind() === "ipv4" ? 32 : 128];
  const [network = "", bits = ""] = entry.split("/");
  const parsed = readAddress(network);
  if (parsed === undefined || entry !== `${network}/${bits}` || !/^\d{1,3}$/.test(bits)) return undefined;
  const length = Number(bits);
  return length <= (parsed.kind() === "ipv4" ? 32 : 128) ? [parsed, length] : undefined;
}

/** IPv4 that is mapped into IPv6 is that IPv4 address: a socket that hears both families writes it so. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(":") || !ipaddr.IPv6.isValid(text))
    return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function holds(
  [network, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number],
  address: ipaddr.IPv4 | ipaddr.IPv6,
): boolean {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits);
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}

function withoutPort(hop: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
