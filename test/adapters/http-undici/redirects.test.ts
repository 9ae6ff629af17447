import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, egressWorld, refusalOf, startHttp, textOf, type Handler } from "../../kit/egress-world.ts";

const to =
  (status: number, location: string): Handler =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { location }).end("a body that says more");
  };

for (const method of ["GET", "POST", "DELETE"] as const) {
  test(`E7 a redirect of a ${method} to another origin is refused, and the target sees nothing (D1)`, async (t) => {
    const target = await startHttp(t, answer("secret"));
    const location = `http://127.0.0.1:${target.port}/mcp?token=x`;
    const server = await startHttp(t, to(307, location));
    const { send } = egressWorld(t);
    const outcome = await send(`http://127.0.0.1:${server.port}/mcp`, {
      method,
      ...(method === "POST" ? { body: "arguments" } : {}),
    });
    assert.deepEqual(refusalOf(outcome), {
      kind: "egress",
      reason: "redirect",
      status: 307,
      fromOrigin: `http://127.0.0.1:${server.port}`,
      toOrigin: `http://127.0.0.1:${target.port}`,
    });
    assert.equal(server.hits.length, 1);
    assert.equal(target.connections, 0);
  });
}

test("E7 a redirect on the same origin is refused and names it twice (D2)", async (t) => {
  const server = await startHttp(t, to(308, "/mcp"));
  const { send } = egressWorld(t);
  const origin = `http://127.0.0.1:${server.port}`;
  assert.deepEqual(refusalOf(await send(`${origin}/mcp/`)), {
    kind: "egress",
    reason: "redirect",
    status: 308,
    fromOrigin: origin,
    toOrigin: origin,
  });
  assert.equal(server.hits.length, 1);
});

test("E7 the body of a redirect is dropped unread, with its socket", async (t) => {
  const server = await startHttp(t, (_, response) => {
    response.writeHead(302, { location: "/elsewhere" });
    response.write("and never an end");
  });
  const { send } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`);
  assert.equal(refusalOf(outcome).reason, "redirect");
  await server.until(({ sockets }) => sockets.size === 0);
});

test("E7 status 304 is an answer like any other", async (t) => {
  const server = await startHttp(t, (_, response) => void response.writeHead(304).end());
  const { send } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`);
  assert.equal(outcome.ok && outcome.value.status, 304);
  assert.equal(await textOf(outcome), "");
});

test("E7 an informational response comes before the real one and is not it", async (t) => {
  const server = await startHttp(t, (_, response) => {
    response.writeEarlyHints({ link: "</x>; rel=preload" });
    response.writeHead(200).end("hello");
  });
  const { send } = egressWorld(t);
  const outcome = await send(`http://127.0.0.1:${server.port}/`);
  assert.equal(outcome.ok && outcome.value.status, 200);
  assert.equal(await textOf(outcome), "hello");
});
