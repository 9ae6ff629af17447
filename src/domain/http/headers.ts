import { accept, refuse, type Outcome } from "../outcome.ts";
import type { HttpAdmissionReason } from "./refusal.ts";

/** Lower-case name, and value as it is sent. */
export type HeaderPair = readonly [name: string, value: string];

/** What is wrong with which header: 1-based position, never its text (H2). */
export interface HeaderProblem {
  readonly reason: Extract<HttpAdmissionReason, `${string}-header${string}`>;
  readonly position: number;
}

/** Above any real server's need and below what HTTP servers accept in one request (16 KiB in Node). */
export const HEADER_LIMITS = { count: 64, nameLength: 256, valueLength: 8_192 } as const;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * H2: what belongs to HTTP, to the protocol, or to a browser's idea of identity. `expect` and the fields that say
 * how a body is encoded are not in the contract's list, but no definition can mean them.
 */
const RESERVED: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "content-type",
  "content-encoding",
  "content-range",
  "expect",
  "accept",
  "traceparent",
  "tracestate",
  "last-event-id",
  "origin",
  "cookie",
]);

/** Whether neither a definition nor a helper may set this header, in any case of letters (H2). */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith("proxy-") || lower.startsWith("mcp-");
}

/** RFC 9110 section 5.5 without obsolete folding: no control character, nothing outside Latin-1. */
export function isHeaderValue(value: string): boolean {
  if (value.length > HEADER_LIMITS.valueLength) return false;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code > 0xff) return false;
  }
  return true;
}

/**
 * Checks the headers that a definition or a helper wants to send (H2). Answers them with lower-case names,
 * in the order given, or the first problem.
 */
export function checkHeaders(
  headers: Iterable<readonly [string, string]>,
): Outcome<readonly HeaderPair[], HeaderProblem> {
  const checked = new Map<string, string>();
  let position = 0;
  for (const [name, value] of headers) {
    position += 1;
    const reason = headerProblem(name, value, checked);
    if (reason !== undefined) return refuse({ reason, position });
    checked.set(name.toLowerCase(), value);
  }
  return accept([...checked]);
}

function headerProblem(
  name: string,
  value: string,
  earlier: ReadonlyMap<string, string>,
): HeaderProblem["reason"] | undefined {
  if (earlier.size === HEADER_LIMITS.count) return "too-many-headers";
  if (name.length > HEADER_LIMITS.nameLength || !TOKEN.test(name)) return "invalid-header-name";
  if (isReservedHeader(name)) return "reserved-header";
  if (earlier.has(name.toLowerCase())) return "duplicate-header";
  return isHeaderValue(value) ? undefined : "invalid-header-value";
}
