import assert from "node:assert/strict";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { Secret } from "../../../src/domain/secret.ts";
import {
  answer,
  egressWorld,
  refusalOf,
  startHttp,
  startHttps,
  startTcp,
  TEST_CERTIFICATE,
  TEST_KEY,
  TestServer,
  textOf,
} from "../../kit/egress-world.ts";

interface Asked {
  readonly authority: string;
  readonly headers: IncomingMessage["headers"];
}

/** A CONNECT proxy on loopback that reaches every name at `port` of this machine. */
async function startProxy(
  t: TestContext,
  port: number,
  { secure = false, status = "200 OK" } = {},
): Promise<{ readonly url: string; readonly asked: Asked[]; readonly server: TestServer }> {
  const asked: Asked[] = [];
  const base = secure ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }) : createHttpServer();
  base.on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push({ authority: request.url ?? "", headers: request.headers });
    client.write(`HTTP/1.1 ${status}\r\n\r\n`);
    const upstream = connect({ host: "127.0.0.1", port });
    client.on("error", () => upstream.destroy()).once("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).once("close", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  const server = await new TestServer(base).listen(t);
  return { url: `${secure ? "https" : "http"}://127.0.0.1:${server.port}`, asked, server };
}

for (const secure of [false, true]) {
  const kind = secure ? "an https" : "an http";
  test(`E6 a public name goes through ${kind} proxy, which resolves it; TLS is for the name`, async (t) => {
    const server = await startHttps(t, answer("hello"));
    const names: unknown[] = [];
    server.onSecure((name) => names.push(name));
    const proxy = await startProxy(t, server.port, { secure });
    const { send, resolver } = egressWorld(t, { proxy });
    assert.equal(await textOf(await send(`https://public.test:${server.port}/mcp`)), "hello");
    assert.deepEqual(resolver.asked, []);
    assert.deepEqual(
      proxy.asked.map(({ authority }) => authority),
      [`public.test:${server.port}`],
    );
    assert.deepEqual(names, ["public.test"]);
    assert.equal(server.hits[0]?.headers.host, `public.test:${server.port}`);
  });
}

test("E6 the proxy's own authorization reaches the proxy alone", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const { url, asked } = await startProxy(t, server.port);
  const { send } = egressWorld(t, { proxy: { url, authorization: new Secret("Basic abc") } });
  await textOf(
    await send(`https://public.test:${server.port}/`, { headers: [["authorization", "Bearer t"]] }),
  );
  assert.equal(asked[0]?.headers["proxy-authorization"], "Basic abc");
  assert.equal(asked[0]?.headers.authorization, undefined);
  assert.equal(server.hits[0]?.headers["proxy-authorization"], undefined);
  assert.equal(server.hits[0]?.headers.authorization, "Bearer t");
});

test("E6 a proxy that stands in for another server fails as tls, and gets no request", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const proxy = await startProxy(t, server.port);
  const { send } = egressWorld(t, { proxy });
  const outcome = await send(`https://unlisted.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
  assert.equal(server.hits.length, 0);
});

test("E6 a tunnel is used again while it is idle", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const proxy = await startProxy(t, server.port);
  const { send } = egressWorld(t, { proxy });
  await textOf(await send(`https://public.test:${server.port}/`));
  await textOf(await send(`https://public.test:${server.port}/`));
  assert.equal(proxy.asked.length, 1);
});

test("E6 loopback never goes through the proxy (D13)", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const proxy = await startProxy(t, server.port);
  const { send } = egressWorld(t, { proxy });
  assert.equal(await textOf(await send(`http://localhost:${server.port}/`)), "hello");
  assert.equal(await textOf(await send(`http://127.0.0.1:${server.port}/`)), "hello");
  assert.equal(proxy.server.connections, 0);
});

test("E5 an allowed destination never goes through the proxy: it is resolved, checked and pinned here", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const proxy = await startProxy(t, server.port);
  const policy = { allowDestinations: [`allowed.test:${server.port}`] };
  const { send, resolver } = egressWorld(t, { proxy, policy, names: { "allowed.test": ["127.0.0.1"] } });
  assert.equal(await textOf(await send(`https://allowed.test:${server.port}/`)), "hello");
  assert.deepEqual(resolver.asked, ["allowed.test"]);
  assert.equal(proxy.server.connections, 0);
});

test("E3 a literal private address is refused with a proxy as without (D14)", async (t) => {
  const proxy = await startProxy(t, 9);
  const generous = egressWorld(t, { policy: { allowDestinations: ["10.0.0.5:443"] } });
  const { egress } = egressWorld(t, { proxy });
  const outcome = await egress.fetch(
    generous.admit("https://10.0.0.5/"),
    { method: "GET", headers: [], responseLimitBytes: 1 },
    { signal: new AbortController().signal },
  );
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "private-address" });
  assert.equal(proxy.server.connections, 0);
});

test("E6 a literal public address goes through the proxy as it is", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const proxy = await startProxy(t, server.port);
  const { send } = egressWorld(t, { proxy });
  const outcome = await send("https://[2606:4700:4700::1111]:8443/");
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
  assert.equal(proxy.asked[0]?.authority, "[2606:4700:4700::1111]:8443");
});

for (const status of ["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway"]) {
  test(`E9 a proxy that answers ${status} fails as unreachable, and its socket goes`, async (t) => {
    const proxy = await startProxy(t, 9, { status });
    const { send } = egressWorld(t, { proxy });
    assert.deepEqual(refusalOf(await send("https://public.test/")), {
      kind: "network",
      reason: "unreachable",
    });
    await proxy.server.until(({ sockets }) => sockets.size === 0);
  });
}

test("E9 a proxy that speaks before the server does fails as unreachable, and its socket goes", async (t) => {
  const server = await startTcp(t, (socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\nearly"));
  });
  const { send } = egressWorld(t, { proxy: { url: `http://127.0.0.1:${server.port}` } });
  assert.deepEqual(refusalOf(await send("https://public.test/")), { kind: "network", reason: "unreachable" });
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E9 a proxy that is not there fails as connection-refused", async (t) => {
  const proxy = await startProxy(t, 9);
  await proxy.server.stop();
  const { send } = egressWorld(t, { proxy });
  assert.deepEqual(refusalOf(await send("https://public.test/")), {
    kind: "network",
    reason: "connection-refused",
  });
});

test("E8 a silent proxy meets the connect deadline, and its socket goes", async (t) => {
  const server = await startTcp(t, () => {});
  const { send, clock } = egressWorld(t, { proxy: { url: `http://127.0.0.1:${server.port}` } });
  const outcome = send("https://public.test/");
  await server.until(({ connections }) => connections === 1);
  await clock.advance(10_000);
  assert.deepEqual(refusalOf(await outcome), { kind: "egress", reason: "timeout" });
  await server.until(({ sockets }) => sockets.size === 0);
});

for (const url of [
  "",
  "127.0.0.1:8080",
  "socks5://127.0.0.1:1080",
  "http://user:word@127.0.0.1:8080",
  "http://127.0.0.1:8080/path",
  "http://127.0.0.1:8080/?query",
  "http://127.0.0.1:8080/#part",
]) {
  test(`E6 the proxy option ${JSON.stringify(url)} is a TypeError that does not quote it`, (t) => {
    assert.throws(() => egressWorld(t, { proxy: { url } }), {
      name: "TypeError",
      message: "a proxy is an http or https origin, without path or user name",
    });
  });
}
