import type { Dispatcher } from "undici";

import type { AdmittedTarget } from "../../domain/egress/target.ts";
import type { EgressRequest } from "../../ports/egress.ts";

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers of the connection and of framing: what they say is decided here, or the checks would be moot. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Puts a request into undici's terms. Host stays the URL's own. `accept-encoding: identity` unless the
 * caller says otherwise: a middlebox that compresses an event stream holds events back.
 *
 * Throws a TypeError, without quoting, on a header that callers have to check before.
 */
export function toDispatch(target: AdmittedTarget, request: EgressRequest): Dispatcher.DispatchOptions {
  const headers: string[] = [];
  let encodingGiven = false;
  for (const [name, value] of request.headers) {
    if (!NAME.test(name) || OWN_HEADERS.has(name) || name.startsWith("proxy-") || !VALUE.test(value)) {
      throw new TypeError("a request header is malformed or not the caller's to set");
    }
    encodingGiven ||= name === "accept-encoding";
    headers.push(name, value);
  }
  if (!encodingGiven) headers.push("accept-encoding", "identity");
  const { pathname, search } = new URL(target.href);
  return { method: request.method, path: pathname + search, headers, body: request.body ?? null };
}
