import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { EgressError } from "../../../src/ports/egress.ts";
import {
  answer,
  egressWorld,
  startHttp,
  startTcp,
  textOf,
  type EgressWorld,
  type Handler,
  type TestServer,
} from "../../kit/egress-world.ts";
import type { TestContext } from "node:test";

interface BodyWorld extends EgressWorld {
  readonly server: TestServer;
  readonly url: string;
}

async function world(t: TestContext, handler: Handler): Promise<BodyWorld> {
  const server = await startHttp(t, handler);
  return { ...egressWorld(t), server, url: `http://127.0.0.1:${server.port}/` };
}

const failsWith =
  (kind: string, reason: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EgressError);
    assert.deepEqual({ kind: error.refusal.kind, reason: error.refusal.reason }, { kind, reason });
    return true;
  };

/** Lets the event loop go round that many times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const TEXT = "x".repeat(1_000);
const CODINGS: readonly (readonly [coding: string, body: Uint8Array])[] = [
  ["identity", Buffer.from(TEXT)],
  ["gzip", gzipSync(TEXT)],
  ["x-gzip", gzipSync(TEXT)],
  ["GZIP", gzipSync(TEXT)],
  ["deflate", deflateSync(TEXT)],
  ["deflate", deflateRawSync(TEXT)],
  ["br", brotliCompressSync(TEXT)],
  ["zstd", zstdCompressSync(TEXT)],
];

for (const [index, [coding, body]] of CODINGS.entries()) {
  for (const [limit, fits] of [
    [1_001, true],
    [1_000, true],
    [999, false],
  ] as const) {
    test(`E8 1,000 decoded bytes of ${coding} (${index}) ${fits ? "fit" : "exceed"} a cap of ${limit}`, async (t) => {
      const { send, server, url } = await world(t, answer(body, { "content-encoding": coding }));
      const reading = textOf(await send(url, { responseLimitBytes: limit }));
      if (fits) assert.equal(await reading, TEXT);
      else {
        await assert.rejects(reading, failsWith("egress", "response-too-large"));
        await server.until(({ sockets }) => sockets.size === 0);
      }
    });
  }
}

for (const [index, [coding, body]] of CODINGS.slice(1).entries()) {
  test(`E9 a ${coding} body (${index}) that ends early fails as protocol`, async (t) => {
    const cut = body.subarray(0, body.byteLength - 3);
    const { send, url } = await world(t, answer(cut, { "content-encoding": coding }));
    await assert.rejects(textOf(await send(url)), failsWith("network", "protocol"));
  });

  test(`E9 a ${coding} body (${index}) that is no such thing fails as protocol`, async (t) => {
    const { send, url } = await world(t, answer("{}".repeat(50), { "content-encoding": coding }));
    await assert.rejects(textOf(await send(url)), failsWith("network", "protocol"));
  });
}

for (const coding of ["compress", "gzip, br", "aes128gcm", "__proto__"]) {
  test(`E9 a body in the coding "${coding}" fails as protocol, and its socket goes`, async (t) => {
    const { send, server, url } = await world(t, answer("hello", { "content-encoding": coding }));
    await assert.rejects(textOf(await send(url)), failsWith("network", "protocol"));
    await server.until(({ sockets }) => sockets.size === 0);
  });
}

test("E8 no coding is asked for, unless the caller asks", async (t) => {
  const { send, server, url } = await world(t, answer("hello"));
  await textOf(await send(url));
  await textOf(await send(url, { headers: [["accept-encoding", "br"]] }));
  assert.deepEqual(
    server.hits.map(({ headers }) => headers["accept-encoding"]),
    ["identity", "br"],
  );
});

test("E8 an empty body in a coding is empty", async (t) => {
  const { send, url } = await world(t, (_, response) => {
    response.writeHead(202, { "content-encoding": "gzip" }).end();
  });
  assert.equal(await textOf(await send(url)), "");
});

test("E8 without a cap the caller counts", async (t) => {
  const { send, url } = await world(t, answer("x".repeat(3_000_000)));
  assert.equal((await textOf(await send(url, { responseLimitBytes: null }))).length, 3_000_000);
});

test("E8 an endless body stops at the cap, and its socket goes", async (t) => {
  const { send, server, url } = await world(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      response.once("drain", more);
    };
    more();
  });
  const outcome = await send(url, { responseLimitBytes: 1_000_000 });
  await assert.rejects(textOf(outcome), failsWith("egress", "response-too-large"));
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E8 an event that arrived in a coding is given out before the next one comes", async (t) => {
  const { send, url } = await world(t, (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    // Without its last 8 bytes (checksum and length) the stream is not over.
    response.write(gzipSync("event").subarray(0, -8));
  });
  const outcome = await send(url);
  assert.ok(outcome.ok);
  for await (const chunk of outcome.value.body) {
    assert.equal(Buffer.from(chunk).toString(), "event");
    break;
  }
});

test("E8 a body that was read frees its socket for the next exchange", async (t) => {
  const { send, server, url } = await world(t, answer("hello"));
  await textOf(await send(url));
  await textOf(await send(url));
  assert.equal(server.connections, 1);
});

test("E8 leaving a body early releases its socket", async (t) => {
  const { send, server, url } = await world(t, (_, response) => void response.write("first"));
  const outcome = await send(url);
  assert.ok(outcome.ok);
  for await (const _ of outcome.value.body) break;
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E8 discarding a body releases its socket, once and again", async (t) => {
  const { send, server, url } = await world(t, (_, response) => void response.write("first"));
  const outcome = await send(url);
  assert.ok(outcome.ok);
  outcome.value.discard();
  outcome.value.discard();
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E8 a body is read once, and not after it was discarded", async (t) => {
  const { send, url } = await world(t, answer("hello"));
  const read = await send(url);
  assert.ok(read.ok);
  await textOf(read);
  await assert.rejects(textOf(read), TypeError);
  const discarded = await send(url);
  assert.ok(discarded.ok);
  discarded.value.discard();
  await assert.rejects(textOf(discarded), TypeError);
});

test("E8 a reader that waits holds the server back", async (t) => {
  let written = 0;
  const { send, server, url } = await world(t, (_, response) => {
    response.on("error", () => {});
    const more = (): void => {
      while (!response.destroyed && written < 256 * 1_048_576) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) {
          response.once("drain", more);
          return;
        }
      }
    };
    more();
  });
  const outcome = await send(url, { responseLimitBytes: null });
  assert.ok(outcome.ok);
  for await (const _ of outcome.value.body) {
    // As many turns of the loop as an unhindered transfer would need for all of it.
    await turns(4_096);
    break;
  }
  assert.ok(written < 64 * 1_048_576, `${written} bytes were taken`);
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E8 a reader that was slow for a while gets all of the body", async (t) => {
  const { send, url } = await world(t, answer(Buffer.alloc(8 * 1_048_576)));
  const outcome = await send(url, { responseLimitBytes: null });
  assert.ok(outcome.ok);
  let bytes = 0;
  for await (const chunk of outcome.value.body) {
    // Long enough for the socket to be paused, since more than 256 KiB wait.
    if (bytes === 0) await turns(500);
    bytes += chunk.byteLength;
  }
  assert.equal(bytes, 8 * 1_048_576);
});

test("E8 the first value of a header is given, by its lower-case name, and no property of objects is one", async (t) => {
  const { send, url } = await world(t, (_, response) => {
    response.setHeader("X-Many", ["one", "two"]);
    response.setHeader("Content-Type", "text/plain");
    response.end();
  });
  const outcome = await send(url);
  const { value } = outcome.ok ? outcome : assert.fail("refused");
  const names = ["x-many", "content-type", "x-absent", "__proto__", "constructor", "toString"];
  assert.deepEqual(
    names.map((name) => value.header(name)),
    ["one", "text/plain", undefined, undefined, undefined, undefined],
  );
});

const BROKEN_ROWS: readonly (readonly [what: string, bytes: string, reason: string])[] = [
  ["is shorter than its length", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "connection-reset"],
  [
    "lacks its last chunk",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "connection-reset",
  ],
  ["has a malformed chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n", "protocol"],
];

for (const [what, bytes, reason] of BROKEN_ROWS) {
  test(`E9 a body that ${what} fails as ${reason}`, async (t) => {
    const server = await startTcp(t, (socket) => {
      socket.once("data", () => socket.end(bytes));
    });
    const { send } = egressWorld(t);
    const reading = send(`http://127.0.0.1:${server.port}/`).then(textOf);
    await assert.rejects(reading, failsWith("network", reason));
  });
}
