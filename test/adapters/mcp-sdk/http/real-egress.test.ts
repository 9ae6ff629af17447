import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { carrierRefusal, openCarrier, openLegacyCarrier, realEgress } from "../../../kit/http-carriers.ts";
import {
  echo,
  event,
  legacyScript,
  openStream,
  sendStatus,
  startScriptedServer,
  streaming,
  type Script,
} from "../../../kit/http-mcp-server.ts";
import { WatchedClock } from "../../../kit/watched-clock.ts";

const RESULT = { jsonrpc: "2.0", id: 1, result: {} };
const MIB = 1024 * 1024;
const primesAndCuts: Script = (_, response) => {
  openStream(response);
  response.write(event("", { id: "e-1", retry: 500 }), () => response.destroy());
};

test("D1 a redirect to another origin is refused with both origins, and the target is never asked", async (t) => {
  const target = await startScriptedServer(t, echo);
  const server = await startScriptedServer(t, (_, response) =>
    sendStatus(response, 307, { location: `${target.url}?token=s3cret` }),
  );
  const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), {
    kind: "egress",
    reason: "redirect",
    status: 307,
    fromOrigin: server.origin,
    toOrigin: target.origin,
  });
  assert.equal(target.requests.length, 0);
  assert.equal(server.requests.length, 1);
});

test("D1 neither the server's own stream nor the end of a session follows a redirect", async (t) => {
  const target = await startScriptedServer(t, echo);
  const away: Script = (_, response) => sendStatus(response, 302, { location: target.url });
  const rest = legacyScript({ script: echo, onGet: away, sessions: ["s-1"] });
  const server = await startScriptedServer(t, (request, response) =>
    request.method === "DELETE" ? away(request, response) : rest(request, response),
  );
  const { carrier } = await openLegacyCarrier(t, server.url, { egress: realEgress(t) });
  await server.seen(1, ({ method }) => method === "GET");
  await carrier.close();
  assert.equal(server.requests.at(-1)?.method, "DELETE");
  assert.equal(target.requests.length, 0);
});

test("D2 a redirect within the origin is refused as well, and says that it is the same", async (t) => {
  const server = await startScriptedServer(t, (_, response) =>
    sendStatus(response, 307, { location: "/other" }),
  );
  const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), {
    kind: "egress",
    reason: "redirect",
    status: 307,
    fromOrigin: server.origin,
    toOrigin: server.origin,
  });
  assert.equal(server.requests.length, 1);
});

for (const type of ["application/json", "text/event-stream"]) {
  test(`H3 a gzip bomb of ${type} fails its call at the cap of what it expands to`, async (t) => {
    const server = await startScriptedServer(t, (_, response) => {
      response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
      response.end(gzipSync(`data: "${"x".repeat(64 * MIB)}"`));
    });
    const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
    assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-too-large");
  });
}

test("H3 a body of 9 MiB fails its call with the carrier's own reason", async (t) => {
  const server = await startScriptedServer(
    t,
    (_, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(9 * MIB)}"`),
  );
  const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
  const refusal = await carrierRefusal(request(1, "tools/call"));
  assert.deepEqual([refusal.kind, refusal.reason], ["session", "response-too-large"]);
});

for (const { name, script, reason } of [
  { name: "a stream that ends", script: streaming(""), reason: "response-lost" },
  {
    name: "a stream that is cut",
    script: ((_, response) => {
      openStream(response);
      response.write("data: {", () => response.destroy());
    }) satisfies Script,
    reason: "response-lost",
  },
  {
    name: "a body that is cut",
    script: ((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "99" });
      response.write("{", () => response.destroy());
    }) satisfies Script,
    reason: "response-lost",
  },
]) {
  test(`H3b over the real egress ${name} fails the call at once`, async (t) => {
    const server = await startScriptedServer(t, script);
    const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
    assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, reason);
  });
}

test("H3b over the real egress a cut call is resumed after its retry", async (t) => {
  const clock = new WatchedClock();
  const onGet: Script = (request, response) =>
    request.headers["last-event-id"] === "e-1"
      ? streaming(event(RESULT))(request, response)
      : sendStatus(response, 405);
  const server = await startScriptedServer(t, legacyScript({ script: primesAndCuts, onGet }));
  const { received, request } = await openLegacyCarrier(t, server.url, { egress: realEgress(t), clock });
  const call = request(1, "tools/call");
  assert.deepEqual(await clock.waits(1), [500]);
  await clock.advance(500);
  await call;
  assert.deepEqual(received, [RESULT]);
});

test("C8 over the real egress an aborted call closes its exchange on the server", async (t) => {
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    openStream(response);
  });
  const { request } = await openCarrier(t, server.url, { egress: realEgress(t) });
  const abort = new AbortController();
  const call = carrierRefusal(request(1, "tools/call", { requestSignal: abort.signal }));
  await server.seen(1);
  abort.abort();
  assert.equal((await call).reason, "cancelled");
  await closed;
});

test("E8 over the real egress closing the carrier closes its push stream on the server", async (t) => {
  let opened: (() => void) | undefined;
  const open = new Promise<void>((resolve) => (opened = resolve));
  let closed: Promise<void> | undefined;
  const onGet: Script = (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    openStream(response);
    opened?.();
  };
  const server = await startScriptedServer(t, legacyScript({ script: echo, onGet }));
  const { carrier } = await openLegacyCarrier(t, server.url, { egress: realEgress(t) });
  await open;
  await carrier.close();
  await closed;
});
