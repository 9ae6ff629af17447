import type { IncomingMessage } from "node:http";

/**
 * The headers that serving MCP needs. All others stay here: the token (it is for this listener, and goes no further),
 * cookies, and what proxies say.
 */
const PASSED_ON = /^(?:accept|content-type|mcp-[a-z0-9-]+)$/;

/** A body, and its JSON where it is that: parsing it once here spares the handler a second copy. */
export type ParsedBody = { readonly json: unknown } | { readonly text: string };

export function parseBody(body: Uint8Array): ParsedBody {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    return { json: JSON.parse(text) };
  } catch {
    // The handler says so, in the words of its protocol.
    return { text };
  }
}

/**
 * A web request out of the admitted one, with its body only where that is no JSON. Its URL is the configured one,
 * whatever the target said.
 */
export function webRequest(
  { rawHeaders }: IncomingMessage,
  { url, body }: { readonly url: string; readonly body: ParsedBody },
): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (PASSED_ON.test(name)) headers.append(name, rawHeaders[at + 1] ?? "");
  }
  return new Request(url, { method: "POST", headers, ...("text" in body && { body: body.text }) });
}
