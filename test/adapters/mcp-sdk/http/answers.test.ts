import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { carrierRefusal, openCarrier } from "../../../kit/http-carriers.ts";
import {
  event,
  openStream,
  sendJson,
  sendStatus,
  startScriptedServer,
} from "../../../kit/http-mcp-server.ts";

const result = (id: unknown): object => ({ jsonrpc: "2.0", id, result: { ok: true } });

interface Row {
  readonly name: string;
  readonly answer: (response: ServerResponse) => void;
  readonly reason: string;
  readonly code?: number;
}

const raw = (response: ServerResponse, type: string, text: string): void =>
  void response.writeHead(200, { "content-type": type }).end(text);
const stream = (response: ServerResponse, text: string): void => raw(response, "text/event-stream", text);
const cut = (response: ServerResponse, text: string): void => {
  openStream(response);
  response.write(text, () => response.destroy());
};

const LOST: readonly Row[] = [
  { name: "a stream that ends without an answer", answer: (r) => stream(r, ""), reason: "response-lost" },
  {
    name: "a stream that ends after a notification",
    answer: (r) => stream(r, event({ jsonrpc: "2.0", method: "notifications/message" })),
    reason: "response-lost",
  },
  {
    name: "an answer whose event is not finished",
    answer: (r) => stream(r, event(result(1)).trim()),
    reason: "response-lost",
  },
  { name: "a stream cut within an event", answer: (r) => cut(r, "data: {"), reason: "response-lost" },
  {
    name: "a body cut within the answer",
    answer: (r) => {
      r.writeHead(200, { "content-type": "application/json", "content-length": "99" });
      r.write("{", () => r.destroy());
    },
    reason: "response-lost",
  },
  { name: "another id on the stream", answer: (r) => stream(r, event(result(2))), reason: "response-lost" },
  { name: "another id in the body", answer: (r) => sendJson(r, result(2)), reason: "response-lost" },
  { name: "the id as text", answer: (r) => sendJson(r, result("1")), reason: "response-lost" },
  {
    name: "malformed JSON on the stream",
    answer: (r) => stream(r, "data: {\n\n"),
    reason: "invalid-response",
  },
  {
    name: "malformed JSON in the body",
    answer: (r) => raw(r, "application/json", "{"),
    reason: "invalid-response",
  },
  {
    name: "a body that is not UTF-8",
    answer: (r) =>
      void r.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xff, 0x22])),
    reason: "invalid-response",
  },
  { name: "a batch", answer: (r) => sendJson(r, [result(1)]), reason: "invalid-response" },
  {
    name: "a request instead of an answer",
    answer: (r) => sendJson(r, { jsonrpc: "2.0", id: 1, method: "ping" }),
    reason: "invalid-response",
  },
  {
    name: "a page of text",
    answer: (r) => raw(r, "text/plain", JSON.stringify(result(1))),
    reason: "invalid-response",
    code: 200,
  },
  {
    name: "no content type",
    answer: (r) => void r.writeHead(200).end(JSON.stringify(result(1))),
    reason: "invalid-response",
    code: 200,
  },
  { name: "202 to a request", answer: (r) => sendStatus(r, 202), reason: "invalid-response", code: 202 },
  { name: "204", answer: (r) => sendStatus(r, 204), reason: "invalid-response", code: 204 },
  {
    name: "401",
    answer: (r) => sendStatus(r, 401, { "www-authenticate": "Bearer" }),
    reason: "auth-required",
    code: 401,
  },
  { name: "403", answer: (r) => sendStatus(r, 403), reason: "auth-required", code: 403 },
  { name: "404 without a session", answer: (r) => sendStatus(r, 404), reason: "http-status", code: 404 },
  {
    name: "500 with an error of its id",
    answer: (r) => sendJson(r, { jsonrpc: "2.0", id: 1, error: { code: 1, message: "s3cret" } }, 500),
    reason: "http-status",
    code: 500,
  },
  { name: "400 with a result", answer: (r) => sendJson(r, result(1), 400), reason: "http-status", code: 400 },
  {
    name: "400 with another id's error",
    answer: (r) => sendJson(r, { jsonrpc: "2.0", id: 2, error: { code: 1, message: "" } }, 400),
    reason: "http-status",
    code: 400,
  },
  {
    name: "400 with a long error",
    answer: (r) =>
      sendJson(r, { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x".repeat(65_536) } }, 400),
    reason: "http-status",
    code: 400,
  },
];

for (const { name, answer, reason, code } of LOST) {
  test(`H3b ${name} fails its call at once with ${reason}, and hands nothing over as an answer`, async (t) => {
    const server = await startScriptedServer(t, (_, response) => answer(response));
    const { received, request } = await openCarrier(t, server.url);
    assert.deepEqual(await carrierRefusal(request(1, "tools/call")), {
      kind: "session",
      reason,
      serverId: "docs",
      stage: "call",
      ...(code !== undefined && { code }),
    });
    assert.deepEqual(
      received.filter((message) => !("method" in message)),
      [],
    );
    assert.equal(server.requests.length, 1);
  });
}

test("H3b a call whose connection is cut before any response fails with the network's reason", async (t) => {
  const server = await startScriptedServer(t, (_, response) => void response.destroy());
  const { request } = await openCarrier(t, server.url);
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), {
    kind: "network",
    reason: "connection-reset",
  });
});

for (const status of [400, 404]) {
  for (const id of [1, null]) {
    test(`H3b a JSON-RPC error with id ${id} on ${status} is the answer of its exchange`, async (t) => {
      const error = { code: -32602, message: "no" };
      const server = await startScriptedServer(t, (_, response) =>
        sendJson(response, { jsonrpc: "2.0", id, error }, status),
      );
      const { received, request } = await openCarrier(t, server.url);
      await request(1, "tools/call");
      assert.deepEqual(received, [{ jsonrpc: "2.0", id: 1, error }]);
    });
  }
}

test("H3b what the server says before its answer is handed over in order", async (t) => {
  const notification = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
  const asked = { jsonrpc: "2.0", id: 1, method: "ping" };
  const server = await startScriptedServer(t, (_, response) =>
    stream(response, event(notification) + event(asked) + event(result(1)) + event(notification)),
  );
  const { received, request } = await openCarrier(t, server.url);
  await request(1, "tools/call");
  assert.deepEqual(received, [notification, asked, result(1)]);
});

test("H3b of two calls at once, the answer to B on A's stream fails A and leaves B to its own", async (t) => {
  const held = new Map<unknown, ServerResponse>();
  const server = await startScriptedServer(t, ({ body }, response) => {
    openStream(response);
    held.set(body?.id, response);
  });
  const { received, request } = await openCarrier(t, server.url);
  const first = carrierRefusal(request(1, "tools/call"));
  const second = request(2, "tools/call");
  await server.seen(2);
  held.get(1)?.end(event(result(2)));
  assert.equal((await first).reason, "response-lost");
  assert.deepEqual(received, []);
  held.get(2)?.end(event(result(2)));
  await second;
  assert.deepEqual(received, [result(2)]);
});

const MIB = 1024 * 1024;
const LIMITS = { messageBytes: 4_096, callBytes: 16_384 };
const sized = (bytes: number): string => {
  const bare = JSON.stringify({ ...result(1), result: { text: "" } });
  return bare.replace('""', `"${"x".repeat(bytes - bare.length)}"`);
};

for (const { bytes, fits } of [
  { bytes: 4_095, fits: true },
  { bytes: 4_096, fits: true },
  { bytes: 4_097, fits: false },
]) {
  test(`H3 a body of ${bytes} bytes ${fits ? "passes" : "fails"} under a cap of 4096`, async (t) => {
    const server = await startScriptedServer(t, (_, response) =>
      raw(response, "application/json", sized(bytes)),
    );
    const { received, request } = await openCarrier(t, server.url, { limits: LIMITS });
    if (fits) await request(1, "tools/call");
    else assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-too-large");
    assert.equal(received.length, fits ? 1 : 0);
  });

  test(`H3 an event of ${bytes} bytes ${fits ? "passes" : "fails"} under a cap of 4096`, async (t) => {
    const line = `data:${sized(bytes - 5)}\n\n`;
    const server = await startScriptedServer(t, (_, response) => stream(response, line));
    const { received, request } = await openCarrier(t, server.url, { limits: LIMITS });
    if (fits) await request(1, "tools/call");
    else assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-too-large");
    assert.equal(received.length, fits ? 1 : 0);
  });
}

test("H3 a body of 9 MiB fails its call by default, and the socket is released", async (t) => {
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    raw(response, "application/json", sized(9 * MIB));
  });
  const { request } = await openCarrier(t, server.url);
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-too-large");
  await closed;
});

test("H3 an event of 9 MiB fails its call while it is still coming", async (t) => {
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    openStream(response);
    response.write(`data: ${"x".repeat(9 * MIB)}`);
  });
  const { request } = await openCarrier(t, server.url);
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-too-large");
  await closed;
});

test("H3 many events beyond 8 MiB in all are fine by default", async (t) => {
  const notification = event({
    jsonrpc: "2.0",
    method: "notifications/message",
    params: { data: "x".repeat(MIB) },
  });
  const server = await startScriptedServer(t, (_, response) => {
    openStream(response);
    for (let index = 0; index < 10; index += 1) response.write(notification);
    response.end(event(result(1)));
  });
  const { received, request } = await openCarrier(t, server.url);
  await request(1, "tools/call");
  assert.equal(received.length, 11);
});

for (const { method, fails } of [
  { method: "tools/call", fails: true },
  { method: "subscriptions/listen", fails: false },
]) {
  test(`H3 the total cap of a call ${fails ? "ends" : "does not apply to"} ${method}`, async (t) => {
    const notification = event({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { data: "x".repeat(3_000) },
    });
    const server = await startScriptedServer(t, (_, response) => {
      openStream(response);
      for (let index = 0; index < 6; index += 1) response.write(notification);
      response.end(event(result(1)));
    });
    const { request } = await openCarrier(t, server.url, { limits: LIMITS });
    if (fails) assert.equal((await carrierRefusal(request(1, method))).reason, "response-too-large");
    else await request(1, method);
  });
}

test("H3 one call over the cap leaves the others", async (t) => {
  const server = await startScriptedServer(t, ({ body }, response) => {
    raw(response, "application/json", body?.id === 1 ? sized(5_000) : JSON.stringify(result(2)));
  });
  const { received, request } = await openCarrier(t, server.url, { limits: LIMITS });
  const [first] = await Promise.all([carrierRefusal(request(1, "tools/call")), request(2, "tools/call")]);
  assert.equal(first.reason, "response-too-large");
  assert.deepEqual(received, [result(2)]);
});

test("H3 gzip that nobody asked for is not expanded by the carrier", async (t) => {
  const server = await startScriptedServer(t, (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync(sized(MIB)));
  });
  const { request } = await openCarrier(t, server.url);
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "invalid-response");
});

test("D17 what a server wrote into a refused answer is in no part of the error", async (t) => {
  const server = await startScriptedServer(t, (_, response) => {
    response.setHeader("www-authenticate", 'Bearer realm="s3cret"');
    sendJson(response, { error: "s3cret" }, 401);
  });
  const { request } = await openCarrier(t, server.url, { headers: { authorization: "Bearer s3cret" } });
  const error: unknown = await request(1, "tools/call").catch((reason: unknown) => reason);
  assert.ok(error instanceof Error);
  assert.doesNotMatch(`${error.stack} ${error.message} ${JSON.stringify(error)}`, /s3cret/);
});
