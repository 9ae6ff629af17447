import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { TurnedAway } from "../../domain/gate/turned-away.ts";
import { announcedBody } from "./request-body.ts";

/** No cache in between may give one caller's refusal to another. */
const ALWAYS = { "cache-control": "no-store", "content-length": "0" } as const;

/**
 * Answers a request without looking at its body. A short one is dropped by the parser and the connection goes on. With a
 * longer one the connection ends: at once where the client waits to be told (`Expect`), else after at most
 * `dropLimitBytes` more, since a socket that is closed with bytes unread takes the answer down with it.
 */
export function writeTurnedAway(
  request: IncomingMessage,
  response: ServerResponse,
  { turnedAway, dropLimitBytes }: { readonly turnedAway: TurnedAway; readonly dropLimitBytes: number },
): void {
  const { status, headers } = turnedAway;
  const announced = announcedBody(request);
  // One that was read to its end says no more, whatever was announced.
  if (announced !== "long" || request.readableEnded) {
    response.writeHead(status, { ...ALWAYS, ...headers }).end();
    return;
  }
  response.writeHead(status, { ...ALWAYS, ...headers, connection: "close" });
  if (request.headers.expect !== undefined) {
    response.end();
    return;
  }
  // Complete for the client, since it has no body; the socket is still open for what the client is sending.
  response.flushHeaders();
  let dropped = 0;
  const end = (): void => void response.end();
  request
    .on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped <= dropLimitBytes) return;
      request.pause();
      end();
    })
    .once("end", end)
    .once("close", end)
    .resume();
}

/** The same for what never became a request: there is a socket, and nothing of Node's to answer with. */
export function writeRawTurnedAway(socket: Duplex, { status, headers }: TurnedAway): void {
  // An error that nobody hears ends the process.
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...ALWAYS, ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  // The reason phrase may be empty (RFC 9112 section 4).
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}
