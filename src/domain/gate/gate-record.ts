import type { AddressVerdict } from "../egress/address-ranges.ts";
import { judgeAddress } from "../egress/address.ts";
import type { TokenReason } from "./token-refusal.ts";

/** Why a request was turned away (R7). Closed: an audit holds these and nothing of the request. */
export const GATE_REASONS = [
  "host",
  "origin",
  "path",
  /** No bearer token at all. */
  "no-token",
  /** A bearer token that is not this host's own (loopback). */
  "wrong-token",
  /** A bearer token that was refused, after too many others from its address. */
  "throttled",
  /** The verifier failed in a way that it has no refusal for. */
  "verifier-failed",
  "method",
  /** All places for requests are taken. */
  "busy",
  /** This caller has all the places that one may have. */
  "caller-busy",
  /** All places for connections are taken. */
  "too-many-connections",
  "body-too-large",
  /** A body that is compressed, or sent in another way than plain or chunked. */
  "body-coding",
  "head-too-large",
  /** The request took too long to arrive. */
  "request-timeout",
  /** Not the framing of HTTP, or a second request before the first was answered. */
  "malformed-request",
] as const;

export type GateReason = (typeof GATE_REASONS)[number] | `token-${TokenReason}`;

export const ADDRESS_CLASSES = ["loopback", "private", "public", "unknown"] as const;

export type AddressClass = (typeof ADDRESS_CLASSES)[number];

/** One refusal. Never a token, an address, a header or a target (R7). */
export interface GateRecord {
  readonly reason: GateReason;
  readonly address: AddressClass;
}

const CLASS_OF: Readonly<Record<AddressVerdict, AddressClass>> = {
  public: "public",
  private: "private",
  loopback: "loopback",
  // Nobody calls from there; whoever claims to is not told apart further.
  metadata: "unknown",
  reserved: "unknown",
  invalid: "unknown",
};

/** The class of an address as text; `undefined` when there is none. */
export function addressClass(address: string | undefined): AddressClass {
  return address === undefined ? "unknown" : CLASS_OF[judgeAddress(address)];
}
