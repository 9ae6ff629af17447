import { accept, refuse, type Outcome } from "../outcome.ts";
import { addressFamily, judgeAddress } from "./address.ts";
import { BLOCKED_PORTS } from "./blocked-ports.ts";
import { isMetadataName } from "./metadata-names.ts";
import type { EgressReason, EgressRefusal } from "./refusal.ts";

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
  /**
   * Exact `host:port` destinations that may be private, or loopback through DNS (E5); IPv6 in brackets.
   * Metadata, multicast and unassigned addresses stay refused, and so does plain `http`.
   */
  readonly allowDestinations: readonly string[];
}

/** What a policy looks at in a URL, before it says yes. */
type Candidate = Omit<AdmittedTarget, typeof ADMITTED>;

/** Longer than any server accepts in a request line; keeps every later copy of the URL small. */
const LONGEST_URL_CHARS = 8_192;
/** RFC 1035 section 2.3.4, as text and without a trailing dot. */
const LONGEST_HOST_CHARS = 253;

/**
 * White space, control and format characters, lone surrogates, backslashes: the URL parser drops or rewrites
 * them, so that what a person read and what is contacted differ.
 */
const REWRITTEN = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;
/** Host names as DNS and the hosts file know them, after normalisation. A trailing dot is kept. */
const HOST_NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/;

const admitted = new WeakSet<object>();

/**
 * Checks the text of a URL against the policy (E1, E2, E4, E5), before anything is resolved.
 *
 * `https` goes anywhere that the later check of addresses allows, `http` only to literal loopback. Literal
 * addresses are judged at once, in whatever spelling the URL parser normalises. Refuses with `invalid-url`
 * (fragment, control character, backslash, over 8,192 characters, a port of another protocol),
 * `unsupported-scheme`, `userinfo`, `metadata-address`, `private-address` or `insecure-scheme`.
 */
export function admitTarget(url: string, policy: EgressPolicy): Outcome<AdmittedTarget, EgressRefusal> {
  const candidate = parseCandidate(url);
  if (typeof candidate === "string") return refuse({ kind: "egress", reason: candidate });
  const reason = judgeCandidate(candidate, policy);
  if (reason !== undefined) return refuse({ kind: "egress", reason });
  // The one place that brands: everything above said yes.
  const target = Object.freeze(candidate) as AdmittedTarget;
  admitted.add(target);
  return accept(target);
}

/** Tells a target that {@link admitTarget} made from an object that only looks like one. */
export function isAdmittedTarget(target: object): target is AdmittedTarget {
  return admitted.has(target);
}

/** Says whether the host listed this destination exactly (E5). Entries that are no `host:port` match nothing. */
export function isAllowedDestination(target: Candidate, policy: EgressPolicy): boolean {
  const host = target.hostname.includes(":") ? `[${target.hostname}]` : target.hostname;
  const destination = `${host}:${target.port}`;
  return policy.allowDestinations.some((entry) => entry.toLowerCase() === destination);
}

function parseCandidate(url: string): Candidate | EgressReason {
  if (url.length > LONGEST_URL_CHARS || REWRITTEN.test(url)) return "invalid-url";
  if (!URL.canParse(url)) return "invalid-url";
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  if (scheme !== "http" && scheme !== "https") return "unsupported-scheme";
  // The parser also takes `https:host` and `https:///host`; nobody who means well writes them.
  const authority = AUTHORITY.exec(url)?.[1];
  if (authority === undefined) return "invalid-url";
  if (authority.includes("@") || parsed.username !== "" || parsed.password !== "") return "userinfo";
  if (url.includes("#")) return "invalid-url";
  const hostname = parsed.hostname.replace(/^\[|\]$/g, "");
  const port = parsed.port === "" ? (scheme === "https" ? 443 : 80) : Number(parsed.port);
  if (!isHost(hostname) || BLOCKED_PORTS.has(port)) return "invalid-url";
  const loopback = isLiteralLoopback(hostname);
  return { href: parsed.href, origin: parsed.origin, scheme, hostname, port, loopback };
}

function judgeCandidate(candidate: Candidate, policy: EgressPolicy): EgressReason | undefined {
  if (isMetadataName(candidate.hostname)) return "metadata-address";
  if (!candidate.loopback && addressFamily(candidate.hostname) !== undefined) {
    const reason = refuseAddress(candidate, policy);
    if (reason !== undefined) return reason;
  }
  return candidate.scheme === "http" && !candidate.loopback ? "insecure-scheme" : undefined;
}

function refuseAddress(candidate: Candidate, policy: EgressPolicy): EgressReason | undefined {
  const verdict = judgeAddress(candidate.hostname);
  if (verdict === "metadata") return "metadata-address";
  if (verdict === "public") return undefined;
  const allowable = verdict === "private" || verdict === "loopback";
  return allowable && isAllowedDestination(candidate, policy) ? undefined : "private-address";
}

function isHost(hostname: string): boolean {
  if (hostname.replace(/\.$/, "").length > LONGEST_HOST_CHARS) return false;
  return HOST_NAME.test(hostname) || addressFamily(hostname) !== undefined;
}

function isLiteralLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname === "::1") return true;
  return addressFamily(hostname) === 4 && judgeAddress(hostname) === "loopback";
}
