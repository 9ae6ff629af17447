import { headerValues, type RequestHead } from "./request-head.ts";

export type PresentedBearer =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "bearer"; readonly token: string };

/** RFC 9110 section 11.4: a scheme, spaces, and for Bearer one `b64token` (RFC 6750 section 2.1). */
const SCHEME = /^bearer(?= |$)/i;
const B64_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const NONE: PresentedBearer = { kind: "none" };
const MALFORMED: PresentedBearer = { kind: "malformed" };

/**
 * Reads the bearer token out of the head. Only the `Authorization` header is looked at, never a query or a body, and
 * only one: of two, a proxy in front may have judged the other. Another scheme is no token.
 */
export function readBearer(head: RequestHead): PresentedBearer {
  const values = headerValues(head, "authorization");
  const [value] = values;
  if (value === undefined) return NONE;
  if (values.length > 1) return MALFORMED;
  if (!SCHEME.test(value)) return NONE;
  const token = value.slice("bearer".length).replace(/^ +/, "");
  return B64_TOKEN.test(token) ? { kind: "bearer", token } : MALFORMED;
}
