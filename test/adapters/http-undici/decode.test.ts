import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, constants, crc32, gzipSync, zstdCompressSync } from "node:zlib";

import { decode, type Coding } from "../../../src/adapters/http-undici/decode.ts";
import { EgressError } from "../../../src/ports/egress.ts";

const BOMB_BYTES = 64 * 1_048_576;

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const BOMBS: readonly (readonly [Coding, () => Uint8Array])[] = [
  ["gzip", () => gzipSync(Buffer.alloc(BOMB_BYTES))],
  ["br", () => brotliCompressSync(Buffer.alloc(BOMB_BYTES), FAST)],
  ["zstd", () => zstdCompressSync(Buffer.alloc(BOMB_BYTES))],
];

for (const [coding, make] of BOMBS) {
  test(`E8 a ${coding} bomb is decoded no further than it is read`, async () => {
    const bomb = make();
    let taken = 0;
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < bomb.byteLength; i += 16) {
        taken += 16;
        yield bomb.subarray(i, i + 16);
      }
    };
    let bytes = 0;
    let largest = 0;
    for await (const chunk of decode(source(), coding)) {
      bytes += chunk.byteLength;
      largest = Math.max(largest, chunk.byteLength);
      if (bytes > 1_048_576) break;
    }
    assert.ok(bytes > 1_048_576 && bytes <= 1_048_576 + largest);
    assert.ok(largest <= 262_144, `a piece of ${largest} bytes`);
    assert.ok(taken < bomb.byteLength, `all ${taken} bytes were taken`);
  });
}

/** A gzip stream whose first part yields nothing and is `bytes` long, then one with two letters. */
function barrenStart(bytes: number): readonly [first: Uint8Array, rest: Uint8Array] {
  const nameLength = (bytes - 11) % 5;
  const header = [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255, ...Array(nameLength).fill(0x61), 0];
  const emptyBlocks = Array.from({ length: (bytes - header.length) / 5 }, () => [0, 0, 0, 255, 255]).flat();
  const content = Buffer.from("hi");
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.byteLength, 4);
  const lastBlock = Buffer.from([1, 2, 0, 253, 255, ...content]);
  return [Uint8Array.from([...header, ...emptyBlocks]), Buffer.concat([lastBlock, trailer])];
}

async function decodeAll(chunks: readonly Uint8Array[]): Promise<string> {
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield* chunks;
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of decode(source(), "gzip")) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

for (const bytes of [131_071, 131_072]) {
  test(`E8 ${bytes} encoded bytes that yield nothing are let through`, async () => {
    const parts = barrenStart(bytes);
    assert.equal(parts[0].byteLength, bytes);
    assert.equal(await decodeAll(parts), "hi");
  });
}

test("E8 131,073 encoded bytes that yield nothing fail as protocol", async () => {
  const parts = barrenStart(131_073);
  assert.equal(parts[0].byteLength, 131_073);
  await assert.rejects(decodeAll(parts), (error: unknown) => {
    assert.ok(error instanceof EgressError);
    assert.deepEqual(error.refusal, { kind: "network", reason: "protocol" });
    return true;
  });
});

test("E8 endless bytes after the end of a gzip stream fail or end, and are not read for ever", async () => {
  let taken = 0;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield gzipSync("hello");
    for (;;) {
      taken += 65_536;
      yield Buffer.alloc(65_536, 0x7a);
    }
  };
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of decode(source(), "gzip")) pieces.push(piece);
  } catch (error) {
    assert.ok(error instanceof EgressError);
  }
  assert.equal(Buffer.concat(pieces).toString(), "hello");
  assert.ok(taken <= 3 * 65_536, `${taken} bytes were taken`);
});
