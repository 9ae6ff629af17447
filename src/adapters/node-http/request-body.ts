import type { IncomingMessage } from "node:http";

/**
 * Reads a body to its end, never more than `limitBytes`. `too-large`: it is longer, and the rest of it is still to
 * come. `gone`: the client went away before its end.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | "too-large" | "gone"> {
  // Its end would not be told a second time.
  if (request.destroyed) return Promise.resolve("gone");
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (outcome: Uint8Array | "too-large" | "gone"): void => {
      request.off("data", onData).off("end", onEnd).off("close", onGone);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limitBytes) return;
      request.pause();
      settle("too-large");
    };
    const onEnd = (): void => settle(Buffer.concat(chunks, length));
    const onGone = (): void => settle("gone");
    request.on("data", onData).on("end", onEnd).on("close", onGone);
  });
}

/** Whether a body was announced, and whether it is short enough to be dropped while the connection stays open. */
export function announcedBody({ headers }: IncomingMessage): "none" | "short" | "long" {
  if (headers["transfer-encoding"] !== undefined) return "long";
  const length = Number(headers["content-length"] ?? 0);
  if (length === 0) return "none";
  return length <= SHORT_BODY_BYTES && headers.expect === undefined ? "short" : "long";
}

/** What one read of a socket brings: mostly it arrived with the head. */
const SHORT_BODY_BYTES = 64 * 1024;
