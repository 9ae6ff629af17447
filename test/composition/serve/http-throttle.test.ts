import assert from "node:assert/strict";
import { test } from "node:test";

import { accept } from "../../../src/domain/outcome.ts";
import { openRemote, type OpenedRemote } from "../../kit/http-hosts.ts";
import { VERIFIED } from "../../kit/token-verifiers.ts";
import { Wire, type WireAnswer } from "../../kit/wire.ts";

const WHERE =
  'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="mcp:use"';

/** One request after the other on one connection. */
async function sender(
  t: Parameters<typeof Wire.open>[0],
  { port, head }: OpenedRemote,
): Promise<(token: string | undefined, lines?: readonly string[]) => Promise<WireAnswer>> {
  const wire = await Wire.open(t, port);
  return async (token, lines = []) => {
    wire.send(`${head(token, ["Content-Length: 2", ...lines])}{}`);
    return (await wire.answer()) ?? assert.fail("the connection ended");
  };
}

const statusAfter = async (
  send: (token: string) => Promise<WireAnswer>,
  { token, count }: { readonly token: string; readonly count: number },
): Promise<number> => {
  let status = 0;
  for (let at = 0; at < count; at += 1) ({ status } = await send(token));
  return status;
};

test("R6 20 refused tokens are 401, the next one is 429 with the time to wait, and a valid one passes all along", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);

  assert.equal(await statusAfter(send, { token: "bad", count: 20 }), 401);
  const throttled = await send("bad");
  const valid = await send("valid");
  const again = await send("bad");

  assert.equal(throttled.status, 429);
  assert.match(throttled.head, /\r\nretry-after: 60\r\n/i);
  assert.equal(valid.status, 200);
  assert.equal(again.status, 429);
  assert.deepEqual(
    remote.records.slice(19, 22).map(({ reason }) => reason),
    ["token-signature", "throttled", "throttled"],
  );
});

test("R6 after the window a refused token is 401 again", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);
  await statusAfter(send, { token: "bad", count: 21 });

  await remote.clock.advance(60_000);

  assert.equal((await send("bad")).status, 401);
});

for (const [what, token, lines] of [
  ["no token", undefined, []],
  ["a valid token without a scope", "without-scope", []],
  ["an outage of the keys", "refused-keys-unavailable", []],
  ["a verifier that broke", "throws", []],
  ["a valid token", "valid", []],
  ["another Origin", "bad", ["Origin: null"]],
] as const) {
  test(`R6 ${what} is not counted`, async (t) => {
    const remote = await openRemote(t);
    const send = await sender(t, remote);
    for (let at = 0; at < 30; at += 1) await send(token, lines);

    assert.equal((await send("bad")).status, 401);
  });
}

test("R6 a token that cannot even be read is counted", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);

  assert.equal(await statusAfter(send, { token: "bad token", count: 21 }), 429);
});

test("R6 whom a proxy that is not configured names is not believed: a caller cannot change its address", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);
  for (let at = 0; at < 20; at += 1) await send("bad", [`X-Forwarded-For: 8.8.8.${at}`]);

  assert.equal((await send("bad", ["X-Forwarded-For: 9.9.9.9"])).status, 429);
});

test("R6 behind a configured proxy each caller is counted for itself, whatever it claims before", async (t) => {
  const remote = await openRemote(t, { authorization: { trustedProxies: ["127.0.0.1"] } });
  const send = await sender(t, remote);
  for (let at = 0; at < 20; at += 1) await send("bad", [`X-Forwarded-For: 7.7.7.${at}, 8.8.8.8`]);

  const same = await send("bad", ["X-Forwarded-For: 8.8.8.8"]);
  const other = await send("bad", ["X-Forwarded-For: 8.8.8.8, 9.9.9.9"]);

  assert.deepEqual([same.status, other.status], [429, 401]);
  assert.deepEqual(remote.records.at(-1), { reason: "token-signature", address: "public" });
});

const challengeOf = ({ head }: WireAnswer): string | undefined =>
  /\r\nwww-authenticate: ([^\r]*)/i.exec(head)?.[1];

// J14.
test("R5 challenges name the error only where a token was refused", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);
  assert.equal(challengeOf(await send(undefined)), `Bearer ${WHERE}`);
  assert.equal(challengeOf(await send("refused-expired")), `Bearer error="invalid_token", ${WHERE}`);
  assert.equal(challengeOf(await send("without-scope")), `Bearer error="insufficient_scope", ${WHERE}`);
  assert.equal(challengeOf(await send("refused-keys-unavailable")), undefined);
});

test("R5 an outage of the keys is 503 with the time to wait, and audited", async (t) => {
  const remote = await openRemote(t);
  const send = await sender(t, remote);

  const answer = await send("refused-keys-unavailable");

  assert.equal(answer.status, 503);
  assert.match(answer.head, /\r\nretry-after: 5\r\n/i);
  assert.deepEqual(remote.records, [{ reason: "token-keys-unavailable", address: "loopback" }]);
});

test("R5 the metadata is told to everybody, as JSON", async (t) => {
  const { port } = await openRemote(t);
  const wire = await Wire.open(t, port);

  wire.send("GET /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: mcp.example.com\r\n\r\n");
  const answer = await wire.answer();

  assert.match(answer?.head ?? "", /\r\ncontent-type: application\/json\r\n/i);
  assert.deepEqual(JSON.parse(answer?.body ?? ""), {
    resource: "https://mcp.example.com/mcp",
    authorization_servers: ["https://issuer.example.com"],
    scopes_supported: ["mcp:use"],
    bearer_methods_supported: ["header"],
  });
});

test("R6 after 10,000 refused tokens of many addresses a valid one passes at once, and none of it is remembered but 4,096 addresses", async (t) => {
  const remote = await openRemote(t, { authorization: { trustedProxies: ["127.0.0.1"] } });
  const senders = await Promise.all(Array.from({ length: 8 }, () => sender(t, remote)));
  const storm = senders.map(async (send, lane) => {
    for (let at = lane; at < 10_000; at += senders.length) {
      await send(`bad${at}`, [`X-Forwarded-For: ${20 + (at >> 16)}.1.${(at >> 8) & 255}.${at & 255}`]);
    }
  });
  const [send = assert.fail()] = senders;
  await Promise.all(storm);

  const valid = await send("valid", ["X-Forwarded-For: 20.1.0.0"]);

  assert.equal(valid.status, 200);
  assert.equal(remote.records.length, 10_000);
  assert.doesNotMatch(JSON.stringify(remote.records), /bad\d|20\.1\./);
});

test("R6 one address that fails 1,000 times locks out no valid token of its own", async (t) => {
  const remote = await openRemote(t);
  const senders = await Promise.all(Array.from({ length: 8 }, () => sender(t, remote)));
  await Promise.all(senders.map((send) => statusAfter(send, { token: "bad", count: 125 })));
  const [send = assert.fail()] = senders;

  assert.equal((await send("bad")).status, 429);
  assert.equal((await send("valid")).status, 200);
});

test("R5 a client that leaves while its token is verified leaves nothing behind", async (t) => {
  const asked = Promise.withResolvers<AbortSignal>();
  const remote = await openRemote(t, {
    authorization: {
      verifier: {
        verify: (_token, { signal }) => {
          asked.resolve(signal);
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        },
      },
    },
  });
  const wire = await Wire.open(t, remote.port);
  wire.send(`${remote.head("slow", ["Content-Length: 2"])}{}`);
  const signal = await asked.promise;
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

  wire.destroy();
  await aborted;

  assert.deepEqual(remote.records, []);
  assert.deepEqual(remote.handler.calls, []);
});

test("R5 a client that leaves while its token is verified is not called for, whatever the verifier says later", async (t) => {
  const asked = Promise.withResolvers<AbortSignal>();
  const verdict = Promise.withResolvers<void>();
  const remote = await openRemote(t, {
    authorization: {
      verifier: {
        verify: async (token, { signal }) => {
          if (token !== "slow") return accept(VERIFIED);
          asked.resolve(signal);
          await verdict.promise;
          return accept(VERIFIED);
        },
      },
    },
  });
  const wire = await Wire.open(t, remote.port);
  wire.send(`${remote.head("slow", ["Content-Length: 2"])}{}`);
  const signal = await asked.promise;
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  wire.destroy();
  await aborted;

  verdict.resolve();
  const next = await (await sender(t, remote))("other");

  assert.equal(next.status, 200);
  assert.equal(remote.handler.calls.length, 1);
});
