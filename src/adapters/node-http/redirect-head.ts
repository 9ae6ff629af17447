import type { IncomingMessage } from "node:http";

/** The one path that a browser may come back to. */
export const CALLBACK_PATH = "/callback";

/**
 * Judges the head of a request to the callback listener. `0`: it is a redirect, as far as a head can tell; else the
 * status that it is turned away with. Whether it is the redirect of this sign-in is not decided here.
 */
export function statusOfHead(request: IncomingMessage, host: string): 0 | 400 | 404 | 405 {
  // Any name can be made to lead to 127.0.0.1; only what was opened for this very address has this Host.
  const hosts = valuesOf(request, "host");
  if (hosts.length !== 1 || hosts[0] !== host) return 400;
  if (request.method !== "GET") return 405;
  const { url = "" } = request;
  if (url !== CALLBACK_PATH && !url.startsWith(`${CALLBACK_PATH}?`)) return 404;
  // A look at the bare page is no redirect, and must not use up the one that is to come.
  if (url.length <= CALLBACK_PATH.length + 1) return 400;
  return isNavigation(request) ? 0 : 400;
}

/**
 * A browser says what it fetches for, and no script can change that. A page that embeds the address, or asks for
 * it behind the person's back, is no sign-in.
 */
function isNavigation(request: IncomingMessage): boolean {
  return valuesOf(request, "sec-fetch-dest").every((destination) => destination === "document");
}

/** As sent: Node keeps only the first of some repeated headers, and joins others. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
