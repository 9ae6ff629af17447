import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import { encodeHeaderText, isPlainHeaderText } from "../../domain/http/header-text.ts";
import { isHeaderValue, type HeaderPair } from "../../domain/http/headers.ts";

const FIRST_MODERN_VERSION = "2026-07-28";

/** Revisions are dates: text order is their order. */
export function isModernVersion(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_MODERN_VERSION;
}

/** The member that `Mcp-Name` repeats (2026-07-28, Standard Request Headers; `tasks/*` by SEP-2663). */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** As the official client exports it; importing that for a word would load all of the client. */
const PROTOCOL_VERSION_META = "io.modelcontextprotocol/protocolVersion";

/** The version that a message claims in its own envelope; legacy messages claim none. */
export function claimedVersion(message: JSONRPCMessage): string | undefined {
  if (!("method" in message)) return undefined;
  const version = message.params?.["_meta"]?.[PROTOCOL_VERSION_META];
  return typeof version === "string" ? version : undefined;
}

/**
 * Derives the protocol's own headers from the body, so that the two cannot disagree (H6).
 *
 * @param agreed the connection's version; used where the body claims none, and never on `initialize`
 */
export function protocolHeaders(message: JSONRPCMessage, agreed: string | undefined): readonly HeaderPair[] {
  const claimed = claimedVersion(message);
  const method = "method" in message ? message.method : undefined;
  if (claimed === undefined || method === undefined) {
    return agreed === undefined || method === "initialize" ? [] : [["mcp-protocol-version", agreed]];
  }
  const headers: HeaderPair[] = [
    ["mcp-protocol-version", claimed],
    ["mcp-method", method],
  ];
  const member = NAMED_BY.get(method);
  const params: Readonly<Record<string, unknown>> = ("params" in message ? message.params : undefined) ?? {};
  const name = member === undefined ? undefined : params[member];
  if (typeof name === "string") headers.push(["mcp-name", encodeHeaderText(name)]);
  return headers;
}

const PARAMETER_NAME = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/;
const TRACE_NAMES: ReadonlySet<string> = new Set(["traceparent", "tracestate"]);

/** The headers one call was given, split: the trace context travels by its own rule (H5). */
export interface CallHeaders {
  readonly parameters: readonly HeaderPair[];
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/**
 * Admits what a caller (or the SDK, which mirrors declared arguments into `Mcp-Param-*`) asks to send with one
 * request. Any other header is a caller's bug: everything else belongs to the admission.
 */
export function callHeaders(given: Readonly<Record<string, string>> | undefined): CallHeaders {
  const pairs = Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of pairs) {
    const known = TRACE_NAMES.has(name) || (PARAMETER_NAME.test(name) && isHeaderValue(value));
    if (!known) throw Object.assign(new TypeError("a call may not set this header"), { code: "call-header" });
  }
  const byName = new Map(pairs);
  return {
    parameters: [...byName].filter(([name]) => !TRACE_NAMES.has(name)),
    traceparent: byName.get("traceparent"),
    tracestate: byName.get("tracestate"),
  };
}

/** Media type without parameters, in lower case; empty when there is none. */
export function mediaType(contentType: string | undefined): string {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** A session id is visible ASCII (Session Management); the length is our bound. */
const SESSION_ID = /^[!-~]{1,1024}$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** Whether an event id can be sent back in `Last-Event-ID`: printable ASCII of a bounded length. */
export function isResumableId(text: string): boolean {
  return text.length > 0 && text.length <= 1_024 && isPlainHeaderText(text);
}
