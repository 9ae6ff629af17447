import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import {
  answer,
  egressWorld,
  refusalOf,
  startHttp,
  startHttps,
  startTcp,
  textOf,
  type EgressWorld,
  type TestServer,
} from "../../kit/egress-world.ts";

interface AllowedWorld extends EgressWorld {
  readonly server: TestServer;
  readonly url: string;
}

/** A TLS server on loopback under a name that the host allows and only the fake resolver knows. */
async function allowedWorld(t: TestContext, addresses: readonly string[]): Promise<AllowedWorld> {
  const server = await startHttps(t, answer("hello"));
  const policy = { allowDestinations: [`allowed.test:${server.port}`] };
  const world = egressWorld(t, { policy, names: { "allowed.test": addresses } });
  return { ...world, server, url: `https://allowed.test:${server.port}/mcp?x=1` };
}

test("E6 a name that the machine cannot resolve reaches the pinned address (D17)", async (t) => {
  const { send, server, resolver, url } = await allowedWorld(t, ["127.0.0.1"]);
  assert.equal(await textOf(await send(url)), "hello");
  assert.deepEqual(resolver.asked, ["allowed.test"]);
  assert.equal(server.hits.length, 1);
});

test("E6 the Host header stays the URL's own, and the certificate is checked for its name", async (t) => {
  const { send, server, url } = await allowedWorld(t, ["127.0.0.1"]);
  await textOf(await send(url));
  assert.equal(server.hits[0]?.headers.host, `allowed.test:${server.port}`);
  assert.equal(server.hits[0]?.path, "/mcp?x=1");
});

test("E6 the TLS name is the URL's host", async (t) => {
  const { send, server, url } = await allowedWorld(t, ["127.0.0.1"]);
  const names: unknown[] = [];
  server.onSecure((name) => names.push(name));
  await textOf(await send(url));
  assert.deepEqual(names, ["allowed.test"]);
});

test("E6 a trailing dot stays in the Host header and is left out of the TLS name", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const policy = { allowDestinations: [`allowed.test.:${server.port}`] };
  const { send } = egressWorld(t, { policy, names: { "allowed.test.": ["127.0.0.1"] } });
  const names: unknown[] = [];
  server.onSecure((name) => names.push(name));
  assert.equal(await textOf(await send(`https://allowed.test.:${server.port}/`)), "hello");
  assert.deepEqual(names, ["allowed.test"]);
  assert.equal(server.hits[0]?.headers.host, `allowed.test.:${server.port}`);
});

test("E6 a certificate for another name fails as tls and sends nothing", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const policy = { allowDestinations: [`unlisted.test:${server.port}`] };
  const { send } = egressWorld(t, { policy, names: { "unlisted.test": ["127.0.0.1"] } });
  const outcome = await send(`https://unlisted.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
  assert.equal(server.hits.length, 0);
});

test("E6 a certificate that does not verify ends the walk over addresses", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const policy = { allowDestinations: [`unlisted.test:${server.port}`] };
  const { send } = egressWorld(t, { policy, names: { "unlisted.test": ["127.0.0.1", "::1"] } });
  const outcome = await send(`https://unlisted.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
});

test("E6 a certificate that nobody vouches for fails as tls and sends nothing", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const { send } = egressWorld(t, { extraAuthorities: [] });
  const outcome = await send(`https://127.0.0.1:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
  assert.equal(server.hits.length, 0);
});

test("E6 a literal address is checked against the addresses of the certificate, with no TLS name", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const names: unknown[] = [];
  server.onSecure((name) => names.push(name));
  const { send, resolver } = egressWorld(t);
  assert.equal(await textOf(await send(`https://127.0.0.1:${server.port}/`)), "hello");
  assert.deepEqual(names, [false]);
  assert.deepEqual(resolver.asked, []);
});

test("E6 an answer that changes to a metadata address between requests is refused, and nobody hears of it", async (t) => {
  const { send, server, resolver, url } = await allowedWorld(t, ["127.0.0.1"]);
  await textOf(await send(url));
  resolver.set("allowed.test", ["169.254.169.254"]);
  assert.deepEqual(refusalOf(await send(url)), { kind: "egress", reason: "metadata-address" });
  assert.equal(server.hits.length, 1);
  assert.equal(server.connections, 1);
});

test("E3 an answer that mixes public and loopback addresses is refused without a connection", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const { send, resolver } = egressWorld(t, { names: { "public.test": ["8.8.8.8", "127.0.0.1"] } });
  const outcome = await send(`https://public.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "private-address" });
  assert.deepEqual(resolver.asked, ["public.test"]);
  assert.equal(server.connections, 0);
});

test("E2 a public name that resolves to loopback is refused without a connection", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const { send } = egressWorld(t, { names: { "public.test": ["127.0.0.1"] } });
  const outcome = await send(`https://public.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "private-address" });
  assert.equal(server.connections, 0);
});

test("E6 every exchange resolves once, and an idle socket is used again while its address is in the answer", async (t) => {
  const { send, server, resolver, url } = await allowedWorld(t, ["127.0.0.1"]);
  await textOf(await send(url));
  resolver.set("allowed.test", ["::1", "127.0.0.1"]);
  await textOf(await send(url));
  assert.equal(resolver.asked.length, 2);
  assert.equal(server.hits.length, 2);
  assert.equal(server.connections, 1);
});

test("E6 an idle socket is not used for an answer that no longer holds its address", async (t) => {
  const { send, server, resolver, url } = await allowedWorld(t, ["127.0.0.1"]);
  await textOf(await send(url));
  resolver.set("allowed.test", ["::1"]);
  const refusal = refusalOf(await send(url));
  assert.equal(refusal.kind, "network");
  assert.equal(server.hits.length, 1);
});

test("E6 an idle socket of one origin is not used for another name at the same address", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const policy = { allowDestinations: [`allowed.test:${server.port}`, `public.test:${server.port}`] };
  const names = { "allowed.test": ["127.0.0.1"], "public.test": ["127.0.0.1"] };
  const { send } = egressWorld(t, { policy, names });
  await textOf(await send(`https://allowed.test:${server.port}/`));
  await textOf(await send(`https://public.test:${server.port}/`));
  assert.equal(server.connections, 2);
  assert.equal(server.hits[1]?.headers.host, `public.test:${server.port}`);
});

test("E6 the next address is tried where one refuses, each once", async (t) => {
  const { send, server, url } = await allowedWorld(t, ["::1", "127.0.0.1"]);
  assert.equal(await textOf(await send(url)), "hello");
  assert.equal(server.connections, 1);
});

test("E8 addresses share the connect deadline, so that a silent one leaves time for the next", async (t) => {
  const quiet = await startTcp(t, () => {});
  const policy = { allowDestinations: [`allowed.test:${quiet.port}`] };
  const { send, clock } = egressWorld(t, { policy, names: { "allowed.test": ["127.0.0.1", "::1"] } });
  const outcome = send(`https://allowed.test:${quiet.port}/`);
  await quiet.until(({ connections }) => connections === 1);
  await clock.advance(4_999);
  assert.equal(quiet.sockets.size, 1);
  await clock.advance(1);
  assert.equal(refusalOf(await outcome).kind, "network");
  await quiet.until(({ sockets }) => sockets.size === 0);
  assert.equal(clock.pending, 0);
});

test("E2 localhost is dialled as 127.0.0.1, asks no resolver and keeps its Host", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, resolver } = egressWorld(t);
  assert.equal(await textOf(await send(`http://localhost:${server.port}/`)), "hello");
  assert.deepEqual(resolver.asked, []);
  assert.equal(server.hits[0]?.headers.host, `localhost:${server.port}`);
});

test("E9 a refused connection is a failure, not a refusal", async (t) => {
  const server = await startTcp(t, () => {});
  const { port } = server;
  await server.stop();
  const { send } = egressWorld(t);
  assert.deepEqual(refusalOf(await send(`http://127.0.0.1:${port}/`)), {
    kind: "network",
    reason: "connection-refused",
  });
});

test("E5 a target that another policy admitted is judged by this egress' own", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const generous = egressWorld(t, { policy: { allowDestinations: [`[::ffff:7f00:1]:${server.port}`] } });
  const strict = egressWorld(t);
  const target = generous.admit(`https://[::ffff:7f00:1]:${server.port}/`);
  const outcome = await strict.egress.fetch(
    target,
    { method: "GET", headers: [], responseLimitBytes: 1 },
    { signal: new AbortController().signal },
  );
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "private-address" });
  assert.equal(server.connections, 0);
});

test("E5 changing the policy object later changes nothing", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const allowDestinations: string[] = [];
  const { send } = egressWorld(t, {
    policy: { allowDestinations },
    names: { "allowed.test": ["127.0.0.1"] },
  });
  allowDestinations.push(`allowed.test:${server.port}`);
  const outcome = await send(`https://allowed.test:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "egress", reason: "private-address" });
});
