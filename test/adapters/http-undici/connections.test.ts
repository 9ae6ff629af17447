import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";

import { Connections } from "../../../src/adapters/http-undici/connections.ts";
import { answer, egressWorld, startHttp, startTcp, textOf, type TestServer } from "../../kit/egress-world.ts";

/** Sends this many requests, all under way at once, and reads their answers. */
async function burst(t: TestContext, count: number): Promise<TestServer> {
  const held: ServerResponse[] = [];
  const server = await startHttp(t, (_, response) => {
    held.push(response);
    if (held.length === count) for (const each of held.splice(0)) each.end("hello");
  });
  const { send } = egressWorld(t);
  const url = `http://127.0.0.1:${server.port}/`;
  await Promise.all(Array.from({ length: count }, async () => textOf(await send(url))));
  assert.equal(server.connections, count);
  return server;
}

for (const count of [63, 64]) {
  test(`E8 after ${count} exchanges at once, ${count} sockets stay for the next`, async (t) => {
    const server = await burst(t, count);
    assert.equal(server.sockets.size, count);
  });
}

test("E8 after 65 exchanges at once, 64 sockets stay for the next", async (t) => {
  const server = await burst(t, 65);
  await server.until(({ sockets }) => sockets.size === 64);
});

test("E8 a connection that ended while its answer was read is not handed out again", async (t) => {
  const server = await startTcp(t, () => {});
  const socket = connect({ host: "127.0.0.1", port: server.port });
  await once(socket, "connect");
  const connections = new Connections();
  const connection = connections.add("http://127.0.0.1", { socket, address: "127.0.0.1" });
  connections.destroy(connection);
  connections.giveBack(connection);
  assert.equal(
    connections.take("http://127.0.0.1", () => true),
    undefined,
  );
});

test("E8 exchanges one after the other share one socket", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send } = egressWorld(t);
  for (let i = 0; i < 10; i += 1) await textOf(await send(`http://127.0.0.1:${server.port}/`));
  assert.equal(server.connections, 1);
});

test("E8 a server that wants its connection closed gets a new one for the next exchange", async (t) => {
  const server = await startHttp(t, answer("hello", { connection: "close" }));
  const { send } = egressWorld(t);
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal(await textOf(await send(url, { method: "POST", body: "1" })), "hello");
  assert.equal(await textOf(await send(url, { method: "POST", body: "2" })), "hello");
  assert.equal(server.connections, 2);
});

test("E8 an answer that comes before the request was sent whole serves no other exchange", async (t) => {
  const server = await startHttp(t, (_, response) => void response.writeHead(413).end("too much"));
  const { send } = egressWorld(t);
  const url = `http://127.0.0.1:${server.port}/`;
  const first = await send(url, { method: "POST", body: "x".repeat(4_000_000) });
  if (first.ok) assert.equal(first.value.status, 413);
  else assert.equal(first.refusal.reason, "connection-reset");
  const second = await send(url, { method: "POST", body: "x" });
  assert.equal(second.ok && second.value.status, 413);
});
