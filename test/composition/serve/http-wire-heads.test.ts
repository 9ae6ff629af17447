import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { type GateRow, headLines, LOOPBACK_ROWS } from "../../kit/gate-rows.ts";
import { REMOTE_ROWS } from "../../kit/remote-gate-rows.ts";
import { openLoopback, type OpenedLoopback, openRemote, type OpenedRemote } from "../../kit/http-hosts.ts";
import { Wire } from "../../kit/wire.ts";

/** One listener for all rows: each row has a connection of its own, and none changes anything. */
const cleanups: (() => unknown)[] = [];
const forAll = {
  after: (cleanup?: unknown) => void (typeof cleanup === "function" && cleanups.push(() => cleanup())),
};
let loopback: OpenedLoopback;
let remote: OpenedRemote;

before(async () => {
  loopback = await openLoopback(forAll);
  remote = await openRemote(forAll);
});
after(() => Promise.all(cleanups.map((cleanup) => cleanup())));

/** More than a listener takes into its hands before somebody reads it. None of it is ever sent. */
const UNSENT_BODY_BYTES = 900_000;

function bytesOf(row: GateRow, place: Parameters<typeof headLines>[1]): string {
  const { method, target, headers } = headLines(row, place);
  const body = row.reason === undefined && method === "POST" ? 2 : UNSENT_BODY_BYTES;
  const length = row.reason === undefined && method !== "POST" ? [] : [["Content-Length", String(body)]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, ...lines, "", body === 2 && method === "POST" ? "{}" : ""].join(
    "\r\n",
  );
}

for (const row of LOOPBACK_ROWS.filter(({ notOnWire }) => notOnWire !== true)) {
  test(`R4 ${row.what} is answered ${row.status} before any of its body is there`, async (t) => {
    const { port, token, handler, records } = loopback;
    records.length = 0;
    const callsBefore = handler.calls.length;
    const wire = await Wire.open(t, port);

    wire.send(bytesOf(row, { host: `127.0.0.1:${port}`, port, token }));
    const answer = await wire.answer({ toHead: row.method === "HEAD" });

    assert.equal(answer?.status, row.status);
    assert.deepEqual(records, row.reason === undefined ? [] : [{ reason: row.reason, address: "loopback" }]);
    assert.equal(handler.calls.length - callsBefore, row.reason === undefined ? 1 : 0);
    if (row.reason !== undefined) assert.equal(answer?.body, "");
  });
}

for (const row of REMOTE_ROWS.filter(({ notOnWire }) => notOnWire !== true)) {
  test(`R5 ${row.what} is answered ${row.status} before any of its body is there`, async (t) => {
    const { port, handler, records, clock } = remote;
    records.length = 0;
    // Each row is judged as if it were alone.
    await clock.advance(60_000);
    const callsBefore = handler.calls.length;
    const wire = await Wire.open(t, port);

    wire.send(bytesOf(row, { host: "mcp.example.com", port, token: "valid" }));
    const answer = await wire.answer({ toHead: row.method === "HEAD" });

    const passes = row.reason === undefined && (row.method ?? "POST") === "POST";
    assert.equal(answer?.status, row.status);
    assert.deepEqual(records, row.reason === undefined ? [] : [{ reason: row.reason, address: "loopback" }]);
    assert.equal(handler.calls.length - callsBefore, passes ? 1 : 0);
    assert.doesNotMatch(`${answer?.head}${answer?.body}`, /canary|refused-|without-/);
  });
}

type Framed = (head: (lines?: readonly string[]) => string) => string;

/** What a parser that is more lenient than another reads differently (request smuggling), and what is no HTTP at all. */
const FRAMES: readonly (readonly [what: string, Framed, status: number, reason: string])[] = [
  [
    "two lengths that differ",
    (head) => `${head(["Content-Length: 2", "Content-Length: 3"])}{}`,
    400,
    "malformed-request",
  ],
  [
    "the same length twice",
    (head) => `${head(["Content-Length: 2", "Content-Length: 2"])}{}`,
    400,
    "malformed-request",
  ],
  ["a list of lengths", (head) => `${head(["Content-Length: 2, 2"])}{}`, 400, "malformed-request"],
  ["a negative length", (head) => `${head(["Content-Length: -2"])}{}`, 400, "malformed-request"],
  ["a length with a sign", (head) => `${head(["Content-Length: +2"])}{}`, 400, "malformed-request"],
  ["a hexadecimal length", (head) => `${head(["Content-Length: 0x2"])}{}`, 400, "malformed-request"],
  [
    "a length and a transfer encoding",
    (head) => `${head(["Content-Length: 2", "Transfer-Encoding: chunked"])}0\r\n\r\n`,
    400,
    "malformed-request",
  ],
  [
    "a transfer encoding and a length",
    (head) => `${head(["Transfer-Encoding: chunked", "Content-Length: 2"])}0\r\n\r\n`,
    400,
    "malformed-request",
  ],
  ["a space before a colon", (head) => `${head(["Content-Length : 2"])}{}`, 400, "malformed-request"],
  ["a folded line", (head) => head(["X-A: b", " c"]), 400, "malformed-request"],
  ["a NUL in a value", (head) => head(["X-A: b\u0000c"]), 400, "malformed-request"],
  ["a bare CR in a value", (head) => head(["X-A: b\rc"]), 400, "malformed-request"],
  ["the preface of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "malformed-request"],
  ["the hello of TLS", () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001", 400, "malformed-request"],
  ["no HTTP", () => "hello\r\n\r\n", 400, "malformed-request"],
  ["an authority as the target", () => "POST 127.0.0.1:80 HTTP/1.1\r\n\r\n", 400, "malformed-request"],
  ["a tunnel", () => "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", 403, "path"],
  [
    "a compressed body",
    (head) => `${head(["Content-Encoding: gzip", "Content-Length: 2"])}{}`,
    415,
    "body-coding",
  ],
  [
    "a body that is compressed once more",
    (head) => `${head(["Content-Encoding: identity", "Content-Encoding: br", "Content-Length: 2"])}{}`,
    415,
    "body-coding",
  ],
  [
    "a compressed transfer",
    (head) => `${head(["Transfer-Encoding: gzip, chunked"])}2\r\n{}\r\n0\r\n\r\n`,
    501,
    "body-coding",
  ],
  ["HTTP/1.0 without a Host", () => "POST /mcp HTTP/1.0\r\n\r\n", 403, "host"],
  [
    "an expectation that nobody meets",
    (head) => head(["Expect: x", "Content-Length: 2"]),
    417,
    "malformed-request",
  ],
  [
    "a wrong Origin behind 1,200 headers",
    (head) => head([...Array.from({ length: 1_200 }, () => "a:"), "Origin: null"]),
    403,
    "origin",
  ],
];

for (const [what, bytes, status, reason] of FRAMES) {
  test(`R3b ${what} is answered ${status}, and nothing is called`, async (t) => {
    const { port, handler, records, head } = loopback;
    records.length = 0;
    const callsBefore = handler.calls.length;
    const wire = await Wire.open(t, port);

    wire.send(bytes(head));
    const answer = await wire.answer();

    assert.equal(answer?.status, status);
    assert.deepEqual(records, [{ reason, address: "loopback" }]);
    assert.equal(handler.calls.length, callsBefore);
  });
}
