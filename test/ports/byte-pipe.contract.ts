import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { BytePipe } from "../../src/ports/byte-pipe.ts";

/** A pipe, and the other ends of its two streams. */
export interface PipeWorld {
  readonly pipe: BytePipe;
  readonly send: (text: string) => void;
  readonly endInput: () => void;
  readonly failInput: () => void;
  /** What was written so far. */
  readonly written: () => string;
  readonly failOutput: () => void;
  /** Whether the streams are still open. */
  readonly areOpen: () => boolean;
}

const NEVER = new AbortController().signal;

async function read(pipe: BytePipe, signal: AbortSignal = NEVER): Promise<string | undefined> {
  const chunk = await pipe.read({ signal });
  return chunk && new TextDecoder().decode(chunk);
}

/** Registers what every pipe has to do. */
export function testBytePipe(name: string, make: (t: TestContext) => PipeWorld): void {
  test(`R3 ${name} hands out what comes in, and the end`, async (t) => {
    const { pipe, send, endInput } = make(t);
    send("one");
    assert.equal(await read(pipe), "one");
    const waiting = read(pipe);
    send("two");
    assert.equal(await waiting, "two");
    endInput();
    assert.equal(await read(pipe), undefined);
    assert.equal(await read(pipe), undefined);
  });

  test(`R3 ${name} loses no byte when a read is left`, async (t) => {
    const { pipe, send, areOpen } = make(t);
    const leaving = new AbortController();
    const left = assert.rejects(read(pipe, leaving.signal), { message: "left" });
    leaving.abort(new Error("left"));
    await left;
    await assert.rejects(read(pipe, AbortSignal.abort(new Error("before"))), { message: "before" });

    send("kept");

    assert.equal(await read(pipe), "kept");
    assert.equal(areOpen(), true);
  });

  test(`R3 ${name} rejects a read of an input that failed`, async (t) => {
    const { pipe, failInput } = make(t);
    const waiting = read(pipe);
    failInput();

    await assert.rejects(waiting);
  });

  test(`R3 ${name} writes in order, and says when it is done`, async (t) => {
    const { pipe, written } = make(t);
    await pipe.write(new TextEncoder().encode("a"));
    await pipe.write(new TextEncoder().encode("b"));

    assert.equal(written(), "ab");
  });

  test(`R3 ${name} tells once that the output is over, and takes no more`, async (t) => {
    const { pipe, failOutput } = make(t);
    let told = 0;
    await new Promise<void>((resolve) => {
      pipe.onOutputEnd(() => {
        told += 1;
        resolve();
      });
      failOutput();
    });

    await assert.rejects(pipe.write(new Uint8Array(1)));
    assert.equal(told, 1);
  });

  test(`R3 ${name} tells nobody who stopped listening`, async (t) => {
    const { pipe, failOutput } = make(t);
    let told = 0;
    pipe.onOutputEnd(() => {
      told += 1;
    })();
    failOutput();
    await new Promise(setImmediate);

    assert.equal(told, 0);
  });
}
