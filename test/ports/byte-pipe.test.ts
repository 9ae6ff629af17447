import { PassThrough, Writable } from "node:stream";

import { createNodeBytePipe } from "../../src/adapters/node-streams/byte-pipe.ts";
import { createWebBytePipe } from "../../src/adapters/web-platform/byte-pipe.ts";
import { testBytePipe } from "./byte-pipe.contract.ts";

testBytePipe("a pipe over Node's streams", () => {
  const stdin = new PassThrough();
  let written = "";
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString("utf8");
      done();
    },
  });
  return {
    pipe: createNodeBytePipe({ stdin, stdout }),
    send: (text) => stdin.write(text),
    endInput: () => stdin.end(),
    failInput: () => stdin.destroy(new Error("broken")),
    written: () => written,
    failOutput: () => stdout.destroy(new Error("EPIPE")),
    areOpen: () => !stdin.destroyed && !stdout.destroyed,
  };
});

testBytePipe("a pipe over web streams", () => {
  let written = "";
  let inputState: ReadableStreamDefaultController<Uint8Array> | undefined;
  let outputState: WritableStreamDefaultController | undefined;
  let isOpen = true;
  const stdin = new ReadableStream<Uint8Array>({
    start: (controller) => {
      inputState = controller;
    },
    cancel: () => {
      isOpen = false;
    },
  });
  const stdout = new WritableStream<Uint8Array>({
    start: (controller) => {
      outputState = controller;
    },
    write: (chunk) => {
      written += new TextDecoder().decode(chunk);
    },
    close: () => {
      isOpen = false;
    },
  });
  return {
    pipe: createWebBytePipe({ stdin, stdout }),
    send: (text) => inputState?.enqueue(new TextEncoder().encode(text)),
    endInput: () => inputState?.close(),
    failInput: () => inputState?.error(new Error("broken")),
    written: () => written,
    failOutput: () => outputState?.error(new Error("EPIPE")),
    areOpen: () => isOpen,
  };
});
