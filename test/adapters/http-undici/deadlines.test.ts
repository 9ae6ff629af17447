import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";

import {
  answer,
  egressWorld,
  refusalOf,
  silent,
  startHttp,
  startTcp,
  textOf,
} from "../../kit/egress-world.ts";
import { SilentResolver } from "../../kit/fake-resolver.ts";

const TIMEOUT = { kind: "egress", reason: "timeout" };

/** Watches a promise without waiting for it. */
function watched<Value>(promise: Promise<Value>): { readonly promise: Promise<Value>; settled: boolean } {
  const watch = { promise, settled: false };
  const settle = (): void => {
    watch.settled = true;
  };
  promise.then(settle, settle);
  return watch;
}

for (const [name, timeouts, limitMs] of [
  ["10 s by default", {}, 10_000],
  ["as set", { resolveMs: 50 }, 50],
] as const) {
  test(`E8 the resolver has ${name}, and is told to stop`, async (t) => {
    const resolver = new SilentResolver();
    const { send, clock } = egressWorld(t, { resolver, timeouts });
    const outcome = watched(send("https://public.test/"));
    await resolver.asked;
    await clock.advance(limitMs - 1);
    assert.equal(outcome.settled, false);
    await clock.advance(1);
    assert.deepEqual(refusalOf(await outcome.promise), TIMEOUT);
    assert.equal(resolver.stopped, 1);
    assert.equal(clock.pending, 0);
  });

  test(`E8 connecting, TLS included, has ${name}, and its socket goes`, async (t) => {
    const server = await startTcp(t, () => {});
    const options = "resolveMs" in timeouts ? { timeouts: { connectMs: 50 } } : {};
    const { send, clock } = egressWorld(t, options);
    const outcome = watched(send(`https://127.0.0.1:${server.port}/`));
    await server.until(({ connections }) => connections === 1);
    await clock.advance(limitMs - 1);
    assert.equal(outcome.settled, false);
    await clock.advance(1);
    assert.deepEqual(refusalOf(await outcome.promise), TIMEOUT);
    await server.until(({ sockets }) => sockets.size === 0);
    assert.equal(clock.pending, 0);
  });
}

for (const [name, timeouts, headersTimeoutMs, limitMs] of [
  ["30 s by default", {}, undefined, 30_000],
  ["as set for the egress", { headersMs: 50 }, undefined, 50],
  ["as set for the request", { headersMs: 50 }, 70, 70],
] as const) {
  test(`E8 response headers have ${name}, and the socket goes`, async (t) => {
    const server = await startHttp(t, silent);
    const { send, clock } = egressWorld(t, { timeouts });
    const request = headersTimeoutMs === undefined ? {} : { headersTimeoutMs };
    const outcome = watched(send(`http://127.0.0.1:${server.port}/`, request));
    await server.until(({ hits }) => hits.length === 1);
    await clock.advance(limitMs - 1);
    assert.equal(outcome.settled, false);
    await clock.advance(1);
    assert.deepEqual(refusalOf(await outcome.promise), TIMEOUT);
    await server.until(({ sockets }) => sockets.size === 0);
    assert.equal(clock.pending, 0);
  });
}

test("E8 a body may be silent for days", async (t) => {
  const responses: ServerResponse[] = [];
  const server = await startHttp(t, (_, response) => {
    responses.push(response);
    response.write("first ");
  });
  const { send, clock } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`);
  assert.equal(clock.pending, 0);
  await clock.advance(7 * 86_400_000);
  responses[0]?.end("last");
  assert.equal(await textOf(outcome), "first last");
});

test("E8 an exchange that is over leaves no timer", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const { send, clock } = egressWorld(t);
  await textOf(await send(`http://127.0.0.1:${server.port}/`));
  assert.equal(clock.pending, 0);
});
