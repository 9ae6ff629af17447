import { isSecureEndpoint } from "./endpoint.ts";

/** Enough for any authorization request; a program's argument may not be much longer on Windows. */
const PAGE_URL_LIMIT_CHARS = 8_192;

/**
 * Characters that no URL of ours has, and that a launcher which is a script itself could take for its own:
 * expansion, redirection, quoting, a second command.
 */
const AMBIGUOUS = /[^\x21-\x7e]|[`$|\\^<>{}"']/;

/**
 * Answers the URL as the parser writes it, when a browser may be started for it: https anywhere, http to literal
 * loopback, without user information or fragment (E1, E2). Everything else, such as `file:` or a
 * program's own scheme, is `undefined`.
 */
export function checkPageUrl(url: string): string | undefined {
  if (url.length > PAGE_URL_LIMIT_CHARS || !isSecureEndpoint(url)) return undefined;
  const { href } = new URL(url);
  return AMBIGUOUS.test(href) ? undefined : href;
}
