/** The two headers of W3C Trace Context, as a caller gives them for one call. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** W3C Trace Context 3.2: version, trace id, parent id, flags; version `ff` and all-zero ids are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** 3.3.1.3: 32 members. 3.3.1.5 asks for at least 512 characters to be passed on; more is not needed. */
const TRACESTATE_LIMITS = { members: 32, characters: 512 } as const;

/** 3.3.1.3.1 and 3.3.1.3.2: key, `=`, printable value without comma and equals sign that does not end in a space. */
const MEMBER = /^[a-z0-9][a-z0-9_\-*/]{0,240}(?:@[a-z][a-z0-9_\-*/]{0,13})?=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Reads a call's trace context. Answers `undefined` when there is none or `traceparent` is not one of W3C's
 * form; a malformed `tracestate` alone is left out, as 3.3 tells a receiver to do.
 */
export function parseTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return undefined;
  return tracestate !== undefined && isTracestate(tracestate) ? { traceparent, tracestate } : { traceparent };
}

function isTracestate(text: string): boolean {
  if (text.length > TRACESTATE_LIMITS.characters) return false;
  const members = text.split(",").map((member) => member.trim());
  return members.length <= TRACESTATE_LIMITS.members && members.every((member) => MEMBER.test(member));
}

/**
 * Decides which trace headers one request carries (H5): those of a `tools/call`, towards an origin that the
 * host listed exactly. The request's own body decides, so a list or a ping sent meanwhile carries none.
 */
export function traceHeaders(
  trace: TraceContext | undefined,
  request: { readonly method: string; readonly origin: string; readonly origins: ReadonlySet<string> },
): readonly (readonly [name: string, value: string])[] {
  if (trace === undefined || request.method !== "tools/call" || !request.origins.has(request.origin)) {
    return [];
  }
  const parent = ["traceparent", trace.traceparent] as const;
  return trace.tracestate === undefined ? [parent] : [parent, ["tracestate", trace.tracestate]];
}
