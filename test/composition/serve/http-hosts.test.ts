import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { inspect } from "node:util";

import { createMcpHttpHost, createMcpRemoteHttpHost } from "../../../src/composition/serve/http-hosts.ts";
import { loopbackHost, type McpHttpHostOptions } from "../../../src/composition/serve/http-loopback-host.ts";
import type { RemoteAuthorization } from "../../../src/composition/serve/http-remote-host.ts";
import { createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import { openLoopback, openRemote, PUBLIC_URL, StubHandler } from "../../kit/http-hosts.ts";
import { FakeTokenVerifier } from "../../kit/token-verifiers.ts";
import { Wire } from "../../kit/wire.ts";

const IDENTITY = { name: "served", version: "1.2.3" };
const SESSION = createFakeAgentSession({});

function hostOf(
  t: TestContext,
  options: Partial<McpHttpHostOptions> = {},
): ReturnType<typeof createMcpHttpHost> {
  const host = createMcpHttpHost({ ...IDENTITY, session: SESSION, ...options });
  t.after(() => host.stop());
  return host;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether anybody answers there. */
async function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(true));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(false)));
  });
}

test("R4 a host listens on 127.0.0.1 at a free port, and gives its address and its token", async (t) => {
  const host = hostOf(t);

  const { url, token } = await host.start();

  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
});

test("R4 the token is another one for each host", async (t) => {
  const [one, two] = [await hostOf(t).start(), await hostOf(t).start()];

  assert.notEqual(one.token, two.token);
});

test("D17 a host does not show its token", async (t) => {
  const host = hostOf(t);

  const { token } = await host.start();

  assert.doesNotMatch(
    `${inspect(host, { depth: 9, showHidden: true })}${JSON.stringify(host)}`,
    new RegExp(token),
  );
});

test("R4 a host listens where it is told to, and says so when the port is taken", async (t) => {
  const port = await freePort();
  const first = hostOf(t, { port });
  const second = hostOf(t, { port });

  const { url } = await first.start();

  assert.equal(url, `http://127.0.0.1:${port}/mcp`);
  await assert.rejects(second.start(), { name: "McpServeError", code: "port-taken" });
});

test("R4 a handler whose port was taken is closed", async (t) => {
  const first = await openLoopback(t);
  const handler = new StubHandler();

  const second = loopbackHost({ port: first.port }, async () => handler);

  await assert.rejects(second.start(), { code: "port-taken" });
  assert.equal(handler.closes, 1);
});

for (const host of ["localhost", "0.0.0.0", "::1", "127.0.0.2", "", "192.168.0.1"]) {
  test(`R4 a loopback host does not listen on ${host === "" ? "every address" : host}`, () => {
    assert.throws(() => createMcpHttpHost({ ...IDENTITY, session: SESSION, host }), {
      name: "TypeError",
      code: "host-not-loopback",
    });
  });
}

for (const port of [-1, 65_536, 1.5, Number.NaN]) {
  test(`R4 ${port} is no port`, () => {
    assert.throws(() => createMcpHttpHost({ ...IDENTITY, session: SESSION, port }), {
      name: "TypeError",
      code: "port-invalid",
    });
  });
}

test("R4 a host starts once, and the second time leaves the first alone", async (t) => {
  const { host, port, head } = await openLoopback(t);

  await assert.rejects(host.start(), { name: "TypeError", code: "already-started" });

  const wire = await Wire.open(t, port);
  wire.send(`${head(["Content-Length: 2"])}{}`);
  assert.equal((await wire.answer())?.status, 200);
});

test("R4 a host stops as often as it is told, and is not started again", async (t) => {
  const { host, port, handler } = await openLoopback(t);

  await Promise.all([host.stop(), host.stop()]);
  await host.stop();

  assert.equal(handler.closes, 1);
  assert.equal(await isTaken(port), false);
  await assert.rejects(host.start(), { name: "TypeError", code: "already-started" });
});

test("R4 a host that was stopped before it started does not listen", async (t) => {
  const host = hostOf(t);
  await host.stop();

  await assert.rejects(host.start(), { name: "McpServeError", code: "stopped" });
});

test("R4 a stop during the start ends it, and nothing listens", async (t) => {
  const port = await freePort();
  const host = hostOf(t, { port });
  const starting = host.start();
  const rejected = assert.rejects(starting, { name: "McpServeError", code: "stopped" });

  await host.stop();

  await rejected;
  assert.equal(await isTaken(port), false);
});

test("R4 a host that was stopped before it started does not even make its handler", async () => {
  let made = 0;
  const host = loopbackHost({}, async () => {
    made += 1;
    return new StubHandler();
  });
  await host.stop();

  await assert.rejects(host.start(), { name: "McpServeError", code: "stopped" });
  assert.equal(made, 0);
});

test("R4 a stop just before it would listen closes what comes to listen", async () => {
  const port = await freePort();
  const handler = new StubHandler();
  const host = loopbackHost({ port }, async () => {
    stopping = host.stop();
    return handler;
  });
  let stopping: Promise<void> | undefined;

  await assert.rejects(host.start(), { name: "McpServeError", code: "stopped" });
  await stopping;

  assert.equal(await isTaken(port), false);
  assert.equal(handler.closes, 1);
});

test("R4 a stop does not wait for a session that never says its tools", async (t) => {
  const session = createFakeAgentSession({});
  const asked = Promise.withResolvers<void>();
  session.tools = () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const host = hostOf(t, { session });
  const rejected = assert.rejects(host.start(), { name: "McpServeError", code: "stopped" });
  await asked.promise;

  await host.stop();

  await rejected;
});

test("R1 a session whose tools cannot be served is not listened for", async (t) => {
  const port = await freePort();
  const session = createFakeAgentSession({}, { listed: [fakeTool("same"), fakeTool("same")] });

  await assert.rejects(hostOf(t, { session, port }).start(), { name: "McpServeError", code: "catalog" });
  assert.equal(await isTaken(port), false);
});

test("V6 a stop ends the calls that run, and their connections", async (t) => {
  const handler = new StubHandler();
  const ended = Promise.withResolvers<void>();
  handler.respond = async ({ context }) => {
    await untilAborted(context.signal);
    ended.resolve();
    return new Response("{}");
  };
  const { host, port, head } = await openLoopback(t, { handler });
  const [running, idle] = [await Wire.open(t, port), await Wire.open(t, port)];
  running.send(`${head(["Content-Length: 2"])}{}`);
  await handler.arrived(1);

  await host.stop();
  await Promise.all([running.closed, idle.closed, ended.promise]);

  assert.equal(running.received, "");
});

test("R4 a host that goes out of scope has stopped", async () => {
  let url: string;
  {
    await using host = createMcpHttpHost({ ...IDENTITY, session: SESSION });
    ({ url } = await host.start());
  }

  assert.equal(await isTaken(Number(new URL(url).port)), false);
});

const AUTHORIZATION: RemoteAuthorization = {
  publicUrl: PUBLIC_URL,
  issuer: "https://issuer.example.com",
  scopes: ["mcp:use"],
  verifier: new FakeTokenVerifier(),
};

for (const [what, authorization, code] of [
  ["a public URL that is not https", { publicUrl: "http://mcp.example.com/mcp" }, "public-url-invalid"],
  ["an issuer that is not https", { issuer: "http://issuer.example.com" }, "issuer-invalid"],
  ["no scope", { scopes: [] }, "scopes-invalid"],
  ["a proxy that is no address", { trustedProxies: ["proxy.example.com"] }, "trusted-proxy-invalid"],
] as const) {
  test(`R5 a remote host cannot be built with ${what}`, () => {
    assert.throws(
      () =>
        createMcpRemoteHttpHost({
          ...IDENTITY,
          session: SESSION,
          authorization: { ...AUTHORIZATION, ...authorization },
        }),
      { name: "TypeError", code },
    );
  });
}

test("R5 a remote host cannot be built without a verifier", () => {
  const { verifier, ...authorization } = AUTHORIZATION;
  const untyped: typeof AUTHORIZATION = JSON.parse(JSON.stringify(authorization));

  assert.ok(verifier);
  assert.throws(() => createMcpRemoteHttpHost({ ...IDENTITY, session: SESSION, authorization: untyped }), {
    name: "TypeError",
    code: "verifier-missing",
  });
});

for (const host of ["localhost", "mcp.example.com", "", "0", "127.1"]) {
  test(`R5 a remote host does not listen on ${host === "" ? "nothing" : host}, which is no literal address`, () => {
    assert.throws(
      () => createMcpRemoteHttpHost({ ...IDENTITY, session: SESSION, host, authorization: AUTHORIZATION }),
      { name: "TypeError", code: "host-not-literal" },
    );
  });
}

test("R5 a remote host listens on 127.0.0.1 and tells its public URL", async (t) => {
  const host = createMcpRemoteHttpHost({ ...IDENTITY, session: SESSION, authorization: AUTHORIZATION });
  t.after(() => host.stop());

  const { listening, url } = await host.start();

  assert.equal(listening.address, "127.0.0.1");
  assert.equal(await isTaken(listening.port), true);
  assert.equal(url, PUBLIC_URL);
});

test("R5 a remote host says when this machine has no such address", async () => {
  const host = createMcpRemoteHttpHost({
    ...IDENTITY,
    session: SESSION,
    // TEST-NET-1 (RFC 5737): nobody's.
    host: "192.0.2.1",
    authorization: AUTHORIZATION,
  });

  await assert.rejects(host.start(), { name: "McpServeError", code: "address-unavailable" });
});

test("R5 the bearer of a loopback host means nothing to a remote one", async (t) => {
  const [loopback, remote] = [await openLoopback(t), await openRemote(t)];
  const wire = await Wire.open(t, remote.port);

  wire.send(remote.head(loopback.token));

  assert.equal((await wire.answer())?.status, 401);
  assert.deepEqual(remote.records, [{ reason: "token-signature", address: "loopback" }]);
});

test("R3b fault J13 a handler is given no token, whatever it is that was verified", async (t) => {
  const { port, head, handler } = await openRemote(t);
  const wire = await Wire.open(t, port);

  wire.send(`${head("valid-canary", ["Content-Length: 2"])}{}`);
  await wire.answer();

  const [call = assert.fail()] = handler.calls;
  assert.equal(call.request.headers.get("authorization"), null);
  assert.equal(call.request.url, PUBLIC_URL);
  assert.equal(call.context.caller, '["https://issuer.example.com","canary","client"]');
});
