/** Public faults of servers on HTTP, each through a whole host on a real socket. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createMcpHttpHost, createMcpRemoteHttpHost } from "../../src/composition/serve/http-hosts.ts";
import type { GateRecord } from "../../src/domain/gate/gate-record.ts";
import type { AgentSession } from "../../src/ports/agent-session.ts";
import { completed, createFakeAgentSession, type FakeAgentSession } from "../kit/fake-agent-session.ts";
import { ISSUER } from "../kit/issuer-documents.ts";
import { RESOURCE, tokenWorld, type TokenWorld } from "../kit/token-world.ts";
import { Wire, type WireAnswer } from "../kit/wire.ts";

const IDENTITY = { name: "served", version: "1" };

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: object;
}

interface Place {
  readonly port: number;
  /** Lines of the head that let a request in. */
  readonly lines: readonly string[];
  readonly records: readonly GateRecord[];
}

const echoing = (): FakeAgentSession =>
  createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });
const echo = (text: string): Message => ({
  id: 1,
  method: "tools/call",
  params: { name: "echo", arguments: { text } },
});
const INITIALIZE: Message = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

async function loopback(t: TestContext, session: AgentSession): Promise<Place> {
  const records: GateRecord[] = [];
  const host = createMcpHttpHost({ ...IDENTITY, session, audit: (record) => records.push(record) });
  t.after(() => host.stop());
  const { url, token } = await host.start();
  const { port, host: authority } = new URL(url);
  return { port: Number(port), lines: [`Host: ${authority}`, `Authorization: Bearer ${token}`], records };
}

/** A host that takes the tokens of a real verifier. */
async function remote(
  t: TestContext,
  session: AgentSession,
): Promise<Place & { readonly world: TokenWorld }> {
  const records: GateRecord[] = [];
  const world = tokenWorld();
  const host = createMcpRemoteHttpHost({
    ...IDENTITY,
    session,
    clock: world.clock,
    authorization: {
      publicUrl: RESOURCE,
      issuer: ISSUER,
      scopes: ["mcp:use"],
      verifier: world.verifier,
      audit: (record) => records.push(record),
    },
  });
  t.after(() => host.stop());
  const { listening } = await host.start();
  return { port: listening.port, lines: ["Host: mcp.example"], records, world };
}

/** Sends a message of 2025-11-25 and answers what came. */
async function post(wire: Wire, message: Message, lines: readonly string[]): Promise<WireAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const head = [
    "POST /mcp HTTP/1.1",
    ...lines,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  wire.send(`${head.join("\r\n")}\r\n\r\n${body}`);
  return (await wire.answer()) ?? assert.fail("the connection ended");
}

/** The same where the answer is a stream of one event: until it holds `text`. */
async function stream(
  t: TestContext,
  { port, lines }: Place,
  { message, text }: { readonly message: Message; readonly text: string },
): Promise<string> {
  const wire = await Wire.open(t, port);
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const head = [...lines, "Content-Type: application/json", "Accept: application/json, text/event-stream"];
  wire.send(
    `POST /mcp HTTP/1.1\r\n${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`,
  );
  return wire.until(text);
}

test("R3b fault J1 two clients that use one id at once each get their own answer", async (t) => {
  const both = Promise.withResolvers<void>();
  const session = createFakeAgentSession({
    echo: async ({ text }) => {
      if (session.invoked.length === 2) both.resolve();
      await both.promise;
      return completed(String(text));
    },
  });
  const place = await loopback(t, session);

  const [one, two] = await Promise.all(
    ["own-of-one", "own-of-two"].map((text) => stream(t, place, { message: echo(text), text: '"id":1' })),
  );

  assert.match(one ?? "", /own-of-one/);
  assert.match(two ?? "", /own-of-two/);
  assert.doesNotMatch(one ?? "", /own-of-two/);
  assert.doesNotMatch(two ?? "", /own-of-one/);
});

test("R4 fault J2 a request that names a command and holds no token starts nothing and reaches nobody", async (t) => {
  const session = echoing();
  const { port, lines, records } = await loopback(t, session);
  const wire = await Wire.open(t, port);

  wire.send(`GET /sse?transportType=stdio&command=touch&args=/tmp/x HTTP/1.1\r\n${lines[0]}\r\n\r\n`);
  const answer = await wire.answer();

  assert.equal(answer?.status, 403);
  assert.deepEqual(records, [{ reason: "path", address: "loopback" }]);
  assert.deepEqual(session.invoked, []);
});

test("R8 fault J5 an id of a session is no authority: with it and without a token nobody gets in", async (t) => {
  const session = echoing();
  const { port, lines, world, records } = await remote(t, session);
  const wire = await Wire.open(t, port);
  const alice = [...lines, `Authorization: Bearer ${world.token()}`];

  const begun = await post(wire, INITIALIZE, alice);
  const withId = [...lines, "Mcp-Session-Id: 1", "Authorization: Bearer x"];
  const other = await post(await Wire.open(t, port), echo("x"), withId);

  assert.equal(begun.status, 200);
  assert.doesNotMatch(begun.head, /mcp-session-id/i);
  assert.equal(other.status, 401);
  assert.deepEqual(records, [{ reason: "token-malformed", address: "loopback" }]);
  assert.deepEqual(session.invoked, []);
});

test("R8 fault J7 1,000 handshakes without an end leave neither a session nor a listener behind", async (t) => {
  const session = echoing();
  const { port, lines } = await loopback(t, session);
  const wire = await Wire.open(t, port);

  for (let at = 0; at < 1_000; at += 1) {
    const text = await post(wire, INITIALIZE, lines);
    assert.equal(text.status, 200);
    assert.doesNotMatch(text.head, /mcp-session-id/i);
    // An answer as a stream ends with an empty piece.
    if (/transfer-encoding: chunked/i.test(text.head)) await wire.skip("\r\n0\r\n\r\n");
  }

  assert.ok(session.listeners() <= 1, String(session.listeners()));
});

test("R3b fault J8 a second client that begins after the first is served like the first", async (t) => {
  const { port, lines } = await loopback(t, echoing());

  const first = await post(await Wire.open(t, port), INITIALIZE, lines);
  const second = await post(await Wire.open(t, port), INITIALIZE, lines);

  assert.deepEqual([first.status, second.status], [200, 200]);
});

for (const host of ["[::1].evil.example", "127.0.0.1.evil.example", "localhost:1@evil"]) {
  test(`R4 fault J10 the Host ${host} is refused although the token is right`, async (t) => {
    const session = echoing();
    const { port, lines, records } = await loopback(t, session);

    const answer = await post(await Wire.open(t, port), echo("x"), [`Host: ${host}`, ...lines.slice(1)]);

    assert.equal(answer.status, 403);
    assert.deepEqual(records, [{ reason: "host", address: "loopback" }]);
    assert.deepEqual(session.invoked, []);
  });
}

for (const [what, change, reason] of [
  ["null", ["Host: mcp.example", "Origin: null"], "origin"],
  ["that is empty", ["Host: mcp.example", "Origin:"], "origin"],
  ["and Host of one and the same other site", ["Host: evil.example", "Origin: http://evil.example"], "host"],
] as const) {
  test(`R5 fault J11 the Origin ${what} is refused by a remote host too, although the token is right`, async (t) => {
    const session = echoing();
    const { port, world, records } = await remote(t, session);

    const answer = await post(await Wire.open(t, port), echo("x"), [
      ...change,
      `Authorization: Bearer ${world.token()}`,
    ]);

    assert.equal(answer.status, 403);
    assert.deepEqual(records, [{ reason, address: "loopback" }]);
    assert.deepEqual(session.invoked, []);
  });
}

for (const [fault, what, claims, status, reason] of [
  ["J13", "for this resource", {}, 200, undefined],
  ["J13", "for this resource and another one", { aud: ["https://other.example", RESOURCE] }, 200, undefined],
  ["J13", "for another resource", { aud: "https://other.example" }, 401, "token-audience"],
  ["J13", "for other resources", { aud: ["https://other.example"] }, 401, "token-audience"],
  ["J13", "for no resource", { aud: undefined }, 401, undefined],
  ["J14", "that never ends", { exp: undefined }, 401, undefined],
  ["J14", "that has ended", { exp: 1 }, 401, "token-expired"],
  ["J14", "without the scope", { scope: "other" }, 403, "token-insufficient-scope"],
] as const) {
  test(`R9 fault ${fault} a token ${what} is answered ${status}`, async (t) => {
    const session = echoing();
    const { port, lines, world, records } = await remote(t, session);
    const wire = await Wire.open(t, port);

    const answer = await post(wire, INITIALIZE, [
      ...lines,
      `Authorization: Bearer ${world.token({ claims })}`,
    ]);

    assert.equal(answer.status, status);
    assert.equal(records.length, status === 200 ? 0 : 1);
    if (reason !== undefined) assert.deepEqual(records, [{ reason, address: "loopback" }]);
  });
}

test("R5 fault J14 without a token the challenge names no error, and with a bad one it does", async (t) => {
  const { port, lines } = await remote(t, echoing());
  const wire = await Wire.open(t, port);

  const without = await post(wire, INITIALIZE, lines);
  const bad = await post(wire, INITIALIZE, [...lines, "Authorization: Bearer bad"]);

  assert.match(without.head, /\r\nwww-authenticate: Bearer resource_metadata="https:\/\/mcp\.example\//i);
  assert.doesNotMatch(without.head, /error=/);
  assert.match(bad.head, /\r\nwww-authenticate: Bearer error="invalid_token", resource_metadata="/i);
});
