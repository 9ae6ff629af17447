import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

import { EgressError } from "../../ports/egress.ts";
import { translateError } from "./errors.ts";

/** A content coding that is undone here. */
export type Coding = "gzip" | "deflate" | "br" | "zstd";

/** Encoded bytes that may go by without one decoded byte. A stream of empty blocks could run for ever. */
const BARREN_LIMIT_BYTES = 131_072;

/**
 * Reads a Content-Encoding header (RFC 9110 section 8.4). `unknown`: a coding that is not undone here, or
 * more than one on top of each other.
 */
export function parseCoding(header: string | undefined): Coding | "identity" | "unknown" {
  const name = header?.trim().toLowerCase() ?? "";
  switch (name) {
    case "":
    case "identity":
      return "identity";
    case "x-gzip":
      return "gzip";
    case "gzip":
    case "deflate":
    case "br":
    case "zstd":
      return name;
    default:
      return "unknown";
  }
}

/**
 * Undoes a coding, never further ahead than the reader asks for: what a bomb would become is made one piece
 * at a time. Throws an {@link EgressError} (`network/protocol`) on what cannot be decoded, ends early, or
 * yields nothing for 128 KiB of input. An empty body has nothing to undo, whatever its header says.
 */
export async function* decode(
  source: AsyncIterable<Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array, void, undefined> {
  let decoder: PullDecoder | undefined;
  let barrenBytes = 0;
  try {
    for await (const chunk of source) {
      decoder ??= new PullDecoder(DECODERS[coding](chunk));
      barrenBytes += chunk.byteLength;
      for await (const decoded of decoder.push(chunk)) {
        barrenBytes = 0;
        yield decoded;
      }
      if (barrenBytes > BARREN_LIMIT_BYTES) throw new EgressError({ kind: "network", reason: "protocol" });
    }
    if (decoder !== undefined) yield* decoder.finish();
  } finally {
    decoder?.destroy();
  }
}

/** A zlib stream whose output is pulled, so that its back-pressure holds and its errors have one reader. */
class PullDecoder {
  readonly #transform: Transform;
  #failure: EgressError | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(transform: Transform) {
    this.#transform = transform;
    transform.on("readable", () => this.#wake?.());
    transform.on("end", () => {
      this.#ended = true;
      this.#wake?.();
    });
    transform.on("error", (error) => {
      this.#failure = new EgressError(translateError(error));
      this.#wake?.();
    });
  }

  /** Feeds one chunk and yields everything that comes of it. */
  async *push(chunk: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
    let taken = false;
    this.#transform.write(chunk, () => {
      taken = true;
      this.#wake?.();
    });
    yield* this.#pull(() => taken);
  }

  /** Yields the rest; fails where the coding is not complete. */
  async *finish(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#transform.end();
    yield* this.#pull(() => false);
  }

  destroy(): void {
    this.#transform.destroy();
  }

  async *#pull(enough: () => boolean): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      // A Transform of zlib yields buffers only; its type does not say so.
      const decoded = this.#transform.read() as Uint8Array | null;
      if (this.#failure !== undefined) throw this.#failure;
      if (decoded !== null) yield decoded;
      else if (this.#ended || enough()) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

const PIECE_BYTES = 65_536;
/** Output comes as soon as it can, since an event must not wait for the next one. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES };

const DECODERS: Readonly<Record<Coding, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(AT_ONCE),
  // "deflate" means the zlib format, but some servers send the bare one (RFC 9110 section 8.4.1.2).
  deflate: ([head = 0]) => ((head & 0x0f) === 0x08 ? createInflate(AT_ONCE) : createInflateRaw(AT_ONCE)),
  br: () => createBrotliDecompress({ chunkSize: PIECE_BYTES }),
  zstd: () => createZstdDecompress({ chunkSize: PIECE_BYTES }),
};
