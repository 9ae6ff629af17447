import assert from "node:assert/strict";
import { test } from "node:test";

import type { AdmittedTarget } from "../../../src/domain/egress/target.ts";
import type { EgressRequest } from "../../../src/ports/egress.ts";
import { answer, egressWorld, refusalOf, startHttp, textOf } from "../../kit/egress-world.ts";

const BAD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["host", "evil.example"],
  ["connection", "close"],
  ["content-length", "3"],
  ["transfer-encoding", "chunked"],
  ["keep-alive", "timeout=99"],
  ["upgrade", "websocket"],
  ["te", "trailers"],
  ["trailer", "x"],
  ["expect", "100-continue"],
  ["proxy-authorization", "Basic abc"],
  ["proxy-connection", "close"],
  ["X-Upper", "a"],
  ["with space", "a"],
  ["", "a"],
  ["x:y", "a"],
  ["x-value", "a\r\nhost: evil.example"],
  ["x-value", "a\u0000"],
  ["x-value", "a\u007f"],
  ["x-value", "snowman \u2603"],
];

for (const [name, value] of BAD_HEADERS) {
  test(`E1 the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is a caller's mistake, sent to nobody`, async (t) => {
    const server = await startHttp(t, answer("hello"));
    const { send } = egressWorld(t);
    const sending = send(`http://127.0.0.1:${server.port}/`, { headers: [[name, value]] });
    await assert.rejects(sending, {
      name: "TypeError",
      message: "a request header is malformed or not the caller's to set",
    });
    assert.equal(server.connections, 0);
  });
}

test("E1 only what the caller listed is sent, besides what HTTP needs", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send } = egressWorld(t);
  const headers = [
    ["x-one", "1"],
    ["x-tab", "a\tb"],
    ["x-latin", "caf\u00e9"],
  ] as const;
  await textOf(await send(`http://127.0.0.1:${server.port}/`, { method: "POST", headers, body: "hello" }));
  assert.deepEqual(server.hits[0]?.headers, {
    host: `127.0.0.1:${server.port}`,
    connection: "keep-alive",
    "x-one": "1",
    "x-tab": "a\tb",
    "x-latin": "caf\u00e9",
    "accept-encoding": "identity",
    "content-length": "5",
  });
});

for (const [what, body, sent] of [
  ["text, as UTF-8", "h\u00e9llo \u2603", "h\u00e9llo \u2603"],
  ["bytes", new TextEncoder().encode("bytes"), "bytes"],
  ["part of a buffer", new TextEncoder().encode("a part only").subarray(2, 6), "part"],
  ["an empty text", "", ""],
] as const) {
  test(`E1 a body is sent as it is: ${what}`, async (t) => {
    const received: Uint8Array[] = [];
    const server = await startHttp(t, (request, response) => {
      request.on("data", (chunk: Uint8Array) => received.push(chunk)).once("end", () => response.end());
    });
    const { send } = egressWorld(t);
    await textOf(await send(`http://127.0.0.1:${server.port}/`, { method: "POST", body }));
    assert.equal(Buffer.concat(received).toString(), sent);
  });
}

test("E1 path and query arrive as the URL spells them", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send } = egressWorld(t);
  await textOf(await send(`http://127.0.0.1:${server.port}/a%2Fb/%E2%98%83?q=1&q=%20`));
  assert.equal(server.hits[0]?.path, "/a%2Fb/%E2%98%83?q=1&q=%20");
});

test("E1 an object that only looks like an admitted target is refused, and nobody is contacted", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { admit, egress } = egressWorld(t);
  const forged: AdmittedTarget = { ...admit(`http://127.0.0.1:${server.port}/`) };
  const request: EgressRequest = { method: "GET", headers: [], responseLimitBytes: 1 };
  const outcome = await egress.fetch(forged, request, { signal: new AbortController().signal });
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "endpoint-mismatch" });
  assert.equal(server.connections, 0);
});
