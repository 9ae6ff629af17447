import type { Outcome } from "../outcome.ts";
import type { EgressRefusal } from "./refusal.ts";

declare const ADMITTED: unique symbol;

/** A URL that passed the policy's checks on its text. Only {@link admitTarget} makes one. */
export interface AdmittedTarget {
  readonly [ADMITTED]: true;
  /** Normalised, without fragment. */
  readonly href: string;
  readonly origin: string;
  readonly scheme: "http" | "https";
  /** Without brackets for IPv6. */
  readonly hostname: string;
  readonly port: number;
  /** Its host is literally `localhost`, 127.0.0.0/8 or `[::1]`: never through DNS (E2). */
  readonly loopback: boolean;
}

export interface EgressPolicy {
  /** Exact `host:port` destinations that may be private, or loopback through DNS (E5). Metadata stays refused. */
  readonly allowDestinations: readonly string[];
}

/** E1–E4 on the text of a URL. (Replaced by the egress work.) */
export declare function admitTarget(
  url: string,
  policy: EgressPolicy,
): Outcome<AdmittedTarget, EgressRefusal>;
