import { EgressError, type EgressResponse } from "../../ports/egress.ts";
import { decode, parseCoding } from "./decode.ts";
import type { Exchange, ResponseHead } from "./exchange.ts";

/** Puts a head and its raw stream together to what the port promises: decoded, capped, releasable. */
export function createResponse(
  exchange: Exchange,
  { status, headers }: ResponseHead,
  limitBytes: number | null,
): EgressResponse {
  let used = false;
  const body = {
    [Symbol.asyncIterator]: () => {
      if (used) throw new TypeError("a response body is read once");
      used = true;
      return read(exchange, { coding: firstValue(headers, "content-encoding"), limitBytes });
    },
  };
  const discard = (): void => {
    used = true;
    exchange.release();
  };
  return {
    status,
    header: (name) => firstValue(headers, name),
    headerValues: (name) => allValues(headers, name),
    body,
    discard,
  };
}

async function* read(
  exchange: Exchange,
  { coding, limitBytes }: { readonly coding: string | undefined; readonly limitBytes: number | null },
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of decoded(exchange, coding)) {
      bytes += chunk.byteLength;
      if (limitBytes !== null && bytes > limitBytes) {
        throw new EgressError({ kind: "egress", reason: "response-too-large" });
      }
      yield chunk;
    }
  } catch (error) {
    exchange.cut(error);
    throw error;
  } finally {
    exchange.release();
  }
}

function decoded(exchange: Exchange, contentEncoding: string | undefined): AsyncIterable<Uint8Array> {
  const coding = parseCoding(contentEncoding);
  if (coding === "unknown") throw new EgressError({ kind: "network", reason: "protocol" });
  return coding === "identity" ? chunksOf(exchange) : decode(chunksOf(exchange), coding);
}

async function* chunksOf(exchange: Exchange): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const chunk = await exchange.next();
    if (chunk === undefined) return;
    yield chunk;
  }
}

export function firstValue(headers: ResponseHead["headers"], name: string): string | undefined {
  return allValues(headers, name)[0];
}

function allValues(headers: ResponseHead["headers"], name: string): readonly string[] {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
