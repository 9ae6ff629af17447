const URL_LIMIT_CHARS = 8_192;

/**
 * The canonical identifier of a server's URL (RFC 8707 section 2, RFC 9728 section 1.2): scheme and host in
 * lower case, no default port, no fragment, an empty path without its slash. Every other path keeps its
 * bytes, percent-encoding and final slash, as two paths may be two resources. `undefined`: no http(s) URL.
 */
export function canonicalResource(url: string): string | undefined {
  if (url.length > URL_LIMIT_CHARS || !URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, search, username, password } = new URL(url);
  if ((protocol !== "https:" && protocol !== "http:") || username !== "" || password !== "") return undefined;
  return `${origin}${pathname === "/" ? "" : pathname}${search}`;
}

/**
 * Whether `parent` holds `resource` on the same origin, cut at a path boundary: `/m` holds `/m/x` and `/m?x`, not
 * `/mx`.
 */
export function isParentResource(parent: string, resource: string): boolean {
  const upper = canonicalResource(parent);
  const lower = canonicalResource(resource);
  if (upper === undefined || lower === undefined || upper === lower) return false;
  const { origin, pathname, search } = new URL(upper);
  const inner = new URL(lower);
  if (origin !== inner.origin || search !== "") return false;
  if (inner.pathname === pathname) return true;
  return inner.pathname.startsWith(pathname.endsWith("/") ? pathname : `${pathname}/`);
}
