import type { IncomingMessage } from "node:http";

/**
 * The headers that serving MCP needs. All others stay here: the token (it is for this listener, and goes no further),
 * cookies, and what proxies say.
 */
const PASSED_ON = /^(?:accept|content-type|mcp-[a-z0-9-]+)$/;

/** A web request out of the admitted one. Its URL is the configured one, whatever the target said. */
export function webRequest(
  { rawHeaders }: IncomingMessage,
  { url, body, signal }: { readonly url: string; readonly body: Uint8Array; readonly signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (PASSED_ON.test(name)) headers.append(name, rawHeaders[at + 1] ?? "");
  }
  return new Request(url, { method: "POST", headers, body: Buffer.from(body).toString("utf8"), signal });
}
