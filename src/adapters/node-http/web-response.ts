import type { ServerResponse } from "node:http";

import type { Admitted } from "../../ports/http-gate.ts";

const EVENT_STREAM = "text/event-stream";
/** RFC 9110 section 7.6.1: about this connection, whose end is agreed between its client and Node. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Writes a web response out. A stream is passed on piece by piece, never faster than the client reads; anything else is
 * whole already, and leaves in one write. Ends early, and cancels the stream, when `signal` aborts. A stream that
 * breaks, or whose caller is let in no longer, breaks the connection: an end would say that all of it was there.
 */
export async function writeWebResponse(
  response: ServerResponse,
  web: Response,
  { signal, expired }: { readonly signal: AbortSignal; readonly expired?: Admitted["expired"] | undefined },
): Promise<void> {
  const headers: Record<string, string> = Object.fromEntries(
    [...web.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)),
  );
  const { body } = web;
  if (body === null || headers["content-type"]?.startsWith(EVENT_STREAM) !== true) {
    const bytes = body === null ? undefined : new Uint8Array(await web.arrayBuffer());
    if (signal.aborted) return;
    response.writeHead(web.status, { ...headers, "content-length": String(bytes?.length ?? 0) }).end(bytes);
    return;
  }
  response.writeHead(web.status, headers);
  const over = new AbortController();
  // Rejects when the stream is over first, which is all that its signal says.
  expired?.({ signal: over.signal }).then(
    () => response.destroy(),
    () => undefined,
  );
  try {
    await pump(body, response, signal);
    response.end();
  } catch {
    // What broke is the handler's own to tell; its words go nowhere from here.
    response.destroy();
  } finally {
    over.abort("over");
  }
}

async function pump(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => {
    // Whether the stream likes its end does not matter to anybody any more.
    reader.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  let wrote = false;
  // A stream that has nothing to say yet still says that it is one. Mostly the first piece is there already.
  setImmediate(() => {
    if (!wrote && !response.destroyed) response.flushHeaders();
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    wrote = true;
    if (!response.write(value) && !signal.aborted) await drained(response, signal);
  }
  wrote = true;
  signal.removeEventListener("abort", cancel);
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle);
      signal.removeEventListener("abort", settle);
      resolve();
    };
    response.on("drain", settle);
    signal.addEventListener("abort", settle, { once: true });
  });
}
