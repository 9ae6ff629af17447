import { EgressError, type EgressResponse } from "../../ports/egress.ts";
import { decode, parseCoding } from "./decode.ts";
import type { Exchange, ResponseHead } from "./exchange.ts";

export interface ResponseOptions {
  readonly limitBytes: number | null;
  /** Called once, when nothing of the exchange is needed any more. */
  readonly onOver: () => void;
}

/** Puts a head and its raw stream together to what the port promises: decoded, capped, releasable. */
export function createResponse(
  exchange: Exchange,
  { status, headers }: ResponseHead,
  { limitBytes, onOver }: ResponseOptions,
): EgressResponse {
  const header = (name: string): string | undefined => firstValue(headers, name);
  let used = false;
  const release = (): void => {
    if (!exchange.drained) exchange.cut(new EgressError({ kind: "egress", reason: "closed" }));
    onOver();
  };
  const read = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    let bytes = 0;
    try {
      for await (const chunk of decoded(exchange, header("content-encoding"))) {
        bytes += chunk.byteLength;
        if (limitBytes !== null && bytes > limitBytes) {
          throw new EgressError({ kind: "egress", reason: "response-too-large" });
        }
        yield chunk;
      }
    } finally {
      release();
    }
  };
  return {
    status,
    header,
    body: {
      [Symbol.asyncIterator]: () => {
        if (used) throw new TypeError("a response body is read once");
        used = true;
        return read();
      },
    },
    discard: () => {
      used = true;
      release();
    },
  };
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
  if (!Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
