import ipaddr from "ipaddr.js";

import { IPV4_RANGES, IPV6_RANGES, type AddressRange, type AddressVerdict } from "./address-ranges.ts";

type Verdict = Exclude<AddressVerdict, "invalid">;

/** A row of a range table, ready to compare: `bits` leading bits of `bytes`. */
interface Block {
  readonly bytes: readonly number[];
  readonly bits: number;
  readonly verdict: Verdict;
}

/** IPv6 text is at most eight groups of four digits, or six and a dotted quad. */
const LONGEST_ADDRESS_CHARS = 45;
const IPV6_TEXT = /^[0-9a-f:.]+$/i;

/** From harmless to never: an address that can be read in two ways counts as the worse one. */
const SEVERITY: readonly Verdict[] = ["public", "private", "loopback", "reserved", "metadata"];

let tables: { readonly four: readonly Block[]; readonly six: readonly Block[] } | undefined;

/** Parsed with the first address that is judged: it takes as long as reading twenty definitions. */
function blocks(): NonNullable<typeof tables> {
  tables ??= { four: compile(IPV4_RANGES), six: compile(IPV6_RANGES) };
  return tables;
}

/**
 * Judges one address as text, a literal of a URL or an answer of DNS alike (E3, E4).
 *
 * IPv4 is four plain decimal parts; every other spelling is `invalid` here, since the URL parser has
 * normalised literals before and DNS knows no other. IPv6 that embeds an IPv4 address is judged by that
 * address. A zone id is `invalid`. Total: any string has a verdict.
 */
export function judgeAddress(address: string): AddressVerdict {
  const bytes = parseAddress(address);
  if (bytes === undefined) return "invalid";
  return bytes.length === 4 ? judgeIpv4(bytes) : judgeIpv6(bytes);
}

/** Says whether a text is an address at all, and of which family. */
export function addressFamily(address: string): 4 | 6 | undefined {
  const bytes = parseAddress(address);
  if (bytes === undefined) return undefined;
  return bytes.length === 4 ? 4 : 6;
}

function parseAddress(address: string): readonly number[] | undefined {
  if (address.length > LONGEST_ADDRESS_CHARS) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toByteArray();
  if (!IPV6_TEXT.test(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  const tail = address.slice(address.lastIndexOf(":") + 1);
  // The library also reads octal, hex and short IPv4 tails, which others read differently.
  if (tail.includes(".") && !ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined;
  return ipaddr.IPv6.parse(address).toByteArray();
}

function judgeIpv4(bytes: readonly number[]): Verdict {
  return firstMatch(blocks().four, bytes);
}

function judgeIpv6(bytes: readonly number[]): Verdict {
  const embedded = judgeEmbedded(bytes);
  if (embedded !== undefined) return embedded;
  const own = firstMatch(blocks().six, bytes);
  // ISATAP (RFC 5214): interface identifier [00|02]00:5efe and the IPv4 address that packets go to.
  const isatap = (at(bytes, 8) | 0x02) === 0x02 && at(bytes, 9) === 0 && startsWith(bytes, [0x5e, 0xfe], 10);
  return isatap ? worst([own, judgeIpv4(bytes.slice(12))]) : own;
}

/** The verdict of the IPv4 address inside, `undefined` when the form holds none. */
function judgeEmbedded(bytes: readonly number[]): Verdict | undefined {
  const last = bytes.slice(12);
  const head = (length: number): boolean => bytes.slice(0, length).every((byte) => byte === 0);
  if (head(10) && startsWith(bytes, [0xff, 0xff], 10)) return judgeIpv4(last); // mapped
  if (head(8) && startsWith(bytes, [0xff, 0xff, 0, 0], 8)) return judgeIpv4(last); // translated (RFC 2765)
  const ownMeaning = head(15) && at(bytes, 15) <= 1; // `::` and `::1`
  if (head(12) && !ownMeaning) return judgeIpv4(last); // compatible (RFC 4291 2.5.5.1)
  if (startsWith(bytes, [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0])) return judgeIpv4(last); // NAT64
  if (startsWith(bytes, [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01])) return judgeLocalNat64(bytes);
  if (startsWith(bytes, [0x20, 0x02])) return judgeIpv4(bytes.slice(2, 6)); // 6to4
  if (startsWith(bytes, [0x20, 0x01, 0, 0])) {
    // Teredo (RFC 4380): the server, and the client with every bit turned over. Packets may go to both.
    return worst([judgeIpv4(bytes.slice(4, 8)), judgeIpv4(last.map((byte) => byte ^ 0xff))]);
  }
  return undefined;
}

/**
 * 64:ff9b:1::/48 (RFC 8215) may be cut into prefixes of any length of RFC 6052, and the address alone does
 * not say which. With zeros up to the last 32 bits it is read as a /96; anything else is the operator's own
 * layout: never public, and metadata when any reading of it is.
 */
function judgeLocalNat64(bytes: readonly number[]): Verdict {
  const last = judgeIpv4(bytes.slice(12));
  if (bytes.slice(6, 12).every((byte) => byte === 0)) return last;
  const readings = [
    [6, 7, 9, 10],
    [7, 9, 10, 11],
    [9, 10, 11, 12],
  ].map((places) => judgeIpv4(places.map((place) => at(bytes, place))));
  return readings.includes("metadata") || last === "metadata" ? "metadata" : "private";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((a, b) => (SEVERITY.indexOf(b) > SEVERITY.indexOf(a) ? b : a));
}

function firstMatch(blocks: readonly Block[], bytes: readonly number[]): Verdict {
  // The last row of each table holds every address, so the fallback is never taken; it errs to "never".
  return blocks.find((block) => holds(block, bytes))?.verdict ?? "reserved";
}

function holds({ bytes: prefix, bits }: Block, bytes: readonly number[]): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (at(prefix, i) !== at(bytes, i)) return false;
  const rest = 8 - (bits & 7);
  return rest === 8 || at(prefix, whole) >> rest === at(bytes, whole) >> rest;
}

function startsWith(bytes: readonly number[], prefix: readonly number[], offset = 0): boolean {
  return prefix.every((byte, i) => at(bytes, offset + i) === byte);
}

function at(bytes: readonly number[], index: number): number {
  return bytes[index] ?? 0;
}

function compile(ranges: readonly AddressRange[]): readonly Block[] {
  return ranges.map(([cidr, verdict]) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return { bytes: network.toByteArray(), bits, verdict };
  });
}
