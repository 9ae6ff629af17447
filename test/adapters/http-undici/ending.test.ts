import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test, type TestContext } from "node:test";

import type { EgressRefusal } from "../../../src/domain/egress/refusal.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { EgressError } from "../../../src/ports/egress.ts";
import {
  answer,
  egressWorld,
  refusalOf,
  silent,
  startHttp,
  startTcp,
  textOf,
  type EgressWorld,
  type TestServer,
} from "../../kit/egress-world.ts";
import { SilentResolver } from "../../kit/fake-resolver.ts";

const CLOSED: EgressRefusal = { kind: "egress", reason: "closed" };

interface Stage extends EgressWorld {
  readonly url: string;
  readonly server: TestServer | undefined;
  /** Resolves when an exchange has come this far. */
  readonly reached: () => Promise<void>;
}

/** How far an exchange comes before something ends it. */
const STAGES: Readonly<Record<string, (t: TestContext) => Promise<Stage>>> = {
  "the resolution": async (t) => {
    const resolver = new SilentResolver();
    const reached = (): Promise<void> => resolver.asked;
    return { ...egressWorld(t, { resolver }), url: "https://public.test/", server: undefined, reached };
  },
  "the TLS handshake": async (t) => {
    const server = await startTcp(t, () => {});
    const reached = (): Promise<void> => server.until(({ connections }) => connections === 1);
    return { ...egressWorld(t), url: `https://127.0.0.1:${server.port}/`, server, reached };
  },
  "the wait for headers": async (t) => {
    const server = await startHttp(t, silent);
    const reached = (): Promise<void> => server.until(({ hits }) => hits.length === 1);
    return { ...egressWorld(t), url: `http://127.0.0.1:${server.port}/`, server, reached };
  },
};

for (const [name, set] of Object.entries(STAGES)) {
  test(`E8 an abort during ${name} rejects with its very reason and releases everything`, async (t) => {
    const { send, clock, url, server, reached } = await set(t);
    const { signal, abort } = caller();
    const outcome = send(url, {}, signal);
    await reached();
    const reason = { mine: true };
    abort(reason);
    await assert.rejects(outcome, (error) => error === reason);
    await server?.until(({ sockets }) => sockets.size === 0);
    assert.equal(clock.pending, 0);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test(`E8 closing during ${name} refuses with closed and releases everything`, async (t) => {
    const { send, egress, clock, url, server, reached } = await set(t);
    const { signal } = caller();
    const outcome = send(url, {}, signal);
    await reached();
    await egress.close();
    assert.deepEqual(refusalOf(await outcome), CLOSED);
    await server?.until(({ sockets }) => sockets.size === 0);
    assert.equal(clock.pending, 0);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
}

/** A clock that never runs out, and calls back at the very moment when the wait for one thing is over. */
function clockThatTells(which: number, tell: () => void): Clock {
  let waits = 0;
  return {
    nowMs: () => 0,
    monotonicMs: () => 0,
    wait: (_ms, { signal }) => {
      waits += 1;
      if (waits === which) signal.addEventListener("abort", tell, { once: true });
      return new Promise(() => {});
    },
  };
}

for (const [which, moment, hits] of [
  [1, "the socket is there and nothing was sent", 0],
  [2, "the headers have come", 1],
] as const) {
  test(`E8 an abort at the moment when ${moment} rejects and releases the socket`, async (t) => {
    const server = await startHttp(t, answer("hello"));
    const { signal, abort } = caller();
    const { send } = egressWorld(t, { clock: clockThatTells(which, () => abort("mine")) });
    const sending = send(`http://127.0.0.1:${server.port}/`, {}, signal);
    await assert.rejects(sending, (error) => error === "mine");
    await server.until(({ connections, sockets }) => connections === 1 && sockets.size === 0);
    assert.equal(server.hits.length, hits);
  });
}

/** A body of which one chunk has come. */
async function streaming(t: TestContext): Promise<EgressWorld & { server: TestServer; url: string }> {
  const server = await startHttp(t, (_, response) => void response.write("first"));
  return { ...egressWorld(t), server, url: `http://127.0.0.1:${server.port}/` };
}

test("E8 an abort during the body rejects the reader with its very reason and releases the socket", async (t) => {
  const { send, server, url } = await streaming(t);
  const { signal, abort } = caller();
  const outcome = await send(url, {}, signal);
  assert.ok(outcome.ok);
  const reading = outcome.value.body[Symbol.asyncIterator]();
  await reading.next();
  const next = reading.next();
  const reason = new Error("mine");
  abort(reason);
  await assert.rejects(next, (error) => error === reason);
  await server.until(({ sockets }) => sockets.size === 0);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("E8 closing during the body fails the reader with closed and releases the socket", async (t) => {
  const { send, egress, server, url } = await streaming(t);
  const { signal } = caller();
  const outcome = await send(url, {}, signal);
  const reading = textOf(outcome);
  await egress.close();
  await assert.rejects(reading, (error) => {
    assert.ok(error instanceof EgressError);
    assert.deepEqual(error.refusal, CLOSED);
    return true;
  });
  await server.until(({ sockets }) => sockets.size === 0);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("E8 closing withdraws what arrived and was not read", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, egress } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`);
  await egress.close();
  await assert.rejects(textOf(outcome), EgressError);
});

test("E8 closing releases idle sockets", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, egress } = egressWorld(t);
  await textOf(await send(`http://127.0.0.1:${server.port}/`));
  assert.equal(server.sockets.size, 1);
  await egress.close();
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E8 a closed egress refuses with closed, and contacts nobody; closing again does nothing", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, egress } = egressWorld(t);
  await egress.close();
  await egress.close();
  await egress[Symbol.asyncDispose]();
  assert.deepEqual(refusalOf(await send(`http://127.0.0.1:${server.port}/`)), CLOSED);
  assert.equal(server.connections, 0);
});

test("E8 a signal that was aborted before rejects at once, and nobody is contacted", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, resolver } = egressWorld(t);
  const { signal, abort } = caller();
  abort("before");
  await assert.rejects(send("https://public.test/", {}, signal), (error) => error === "before");
  await assert.rejects(send(`http://127.0.0.1:${server.port}/`, {}, signal), (error) => error === "before");
  assert.deepEqual(resolver.asked, []);
  assert.equal(server.connections, 0);
});

test("E8 one exchange's abort leaves the others alone", async (t) => {
  const server = await startHttp(t, (request, response) => {
    if (request.url === "/quick") response.end("hello");
  });
  const { send } = egressWorld(t);
  const { signal, abort } = caller();
  const slow = send(`http://127.0.0.1:${server.port}/slow`, {}, signal);
  await server.until(({ hits }) => hits.length === 1);
  const quick = await send(`http://127.0.0.1:${server.port}/quick`);
  abort("mine");
  await assert.rejects(slow, (error) => error === "mine");
  assert.equal(await textOf(quick), "hello");
});

test("E8 a hundred exchanges leave no listener on the caller's signal", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send } = egressWorld(t);
  const { signal } = caller();
  for (let i = 0; i < 50; i += 1) await textOf(await send(`http://127.0.0.1:${server.port}/`, {}, signal));
  await Promise.all(
    Array.from({ length: 50 }, async () =>
      textOf(await send(`http://127.0.0.1:${server.port}/`, {}, signal)),
    ),
  );
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.equal(server.hits.length, 100);
});

test("E8 an empty answer that nobody looks at leaves no listener and an idle socket", async (t) => {
  const server = await startHttp(t, (_, response) => void response.writeHead(202).end());
  const { send } = egressWorld(t);
  const { signal } = caller();
  assert.ok((await send(`http://127.0.0.1:${server.port}/`, {}, signal)).ok);
  assert.ok((await send(`http://127.0.0.1:${server.port}/`, {}, signal)).ok);
  assert.equal(server.connections, 1);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("E6 an idle socket that the server closed meanwhile costs a new connection, never the call", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send } = egressWorld(t);
  const url = `http://127.0.0.1:${server.port}/`;
  await textOf(await send(url, { method: "POST", body: "1" }));
  for (const socket of server.sockets) socket.destroy();
  await server.until(({ sockets }) => sockets.size === 0);
  assert.equal(await textOf(await send(url, { method: "POST", body: "2" })), "hello");
  assert.equal(server.hits.length, 2);
});

test("E9 a connection that breaks after the request was sent fails as reset, and is not sent again", async (t) => {
  const server = await startHttp(t, (request) => void request.socket.destroy());
  const { send } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`, { method: "POST", body: "once" });
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "connection-reset" });
  assert.equal(server.hits.length, 1);
});

test("E9 a reused socket that breaks after the request was sent fails as reset, and is not sent again", async (t) => {
  const server = await startHttp(t, (request, response) => {
    if (request.url === "/") response.end("hello");
    else request.socket.destroy();
  });
  const { send } = egressWorld(t);
  const url = `http://127.0.0.1:${server.port}/`;
  await textOf(await send(url));
  const outcome = await send(`${url}break`, { method: "POST", body: "once" });
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "connection-reset" });
  assert.deepEqual(
    server.hits.map(({ path }) => path),
    ["/", "/break"],
  );
  assert.equal(server.connections, 1);
});

function caller(): { readonly signal: AbortSignal; readonly abort: (reason: unknown) => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}
