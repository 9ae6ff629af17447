import assert from "node:assert/strict";
import { test } from "node:test";

import { makeKey } from "../kit/access-tokens.ts";
import { ISSUER, json, KEYS_URL, METADATA_URL, type TestIssuer } from "../kit/issuer-documents.ts";
import { tokenWorld } from "../kit/token-world.ts";

test("R9 keys are asked for with the first token, and kept", async () => {
  const world = tokenWorld();
  assert.deepEqual(world.issuer.asked, []);

  assert.equal(await world.verdict(world.token()), "ok");
  assert.equal(await world.verdict(world.token()), "ok");
  assert.deepEqual(world.issuer.asked, [METADATA_URL, KEYS_URL]);
});

test("R9 questions to the issuer carry nothing but what they ask for, and 64 KiB may come back", async () => {
  const world = tokenWorld();
  await world.verdict(world.token());

  assert.deepEqual(
    world.issuer.egress.sent.map(({ request }) => request),
    Array.from({ length: 2 }, () => ({
      method: "GET",
      headers: [["accept", "application/json"]],
      responseLimitBytes: 65_536,
    })),
  );
});

test("R9 a key that the issuer adds is found by the token that names it, 30 s after the last time", async () => {
  const world = tokenWorld();
  const next = makeKey("ES256", { kid: "two" });
  assert.equal(await world.verdict(world.token()), "ok");
  world.issuer.publish(world.key.jwk, next.jwk);
  const token = world.token({ header: { kid: "two" }, key: next });

  await world.clock.advance(29_999);
  assert.equal(await world.verdict(token), "unknown-key");
  assert.equal(world.issuer.fetches, 1);
  await world.clock.advance(1);
  assert.equal(await world.verdict(token), "ok");
  assert.equal(world.issuer.fetches, 2);
});

test("R9 10,000 tokens with keys of their own make the issuer be asked once in 30 s", async () => {
  const world = tokenWorld();
  const token = world.token({ header: { kid: "made-up" } });
  for (let count = 0; count < 10_000; count += 1) assert.equal(await world.verdict(token), "unknown-key");

  assert.equal(world.issuer.fetches, 1);
  assert.equal(await world.verdict(world.token()), "ok");
});

test("R9 a key that the issuer withdrew opens nothing after 5 minutes", async () => {
  const world = tokenWorld();
  assert.equal(await world.verdict(world.token()), "ok");
  world.issuer.publish(makeKey("ES256", { kid: "two" }).jwk);

  await world.clock.advance(299_999);
  assert.equal(await world.verdict(world.token()), "ok");
  await world.clock.advance(1);
  assert.equal(await world.verdict(world.token()), "unknown-key");
});

test("R9 verifications at once share one fetch", async () => {
  const world = tokenWorld();
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => world.verdict(world.token())));

  assert.deepEqual(new Set(verdicts), new Set(["ok"]));
  assert.deepEqual(world.issuer.asked, [METADATA_URL, KEYS_URL]);
});

test("R9 a caller that leaves during a fetch leaves alone, and the next one has the keys", async () => {
  const world = tokenWorld();
  const opened = Promise.withResolvers<void>();
  world.issuer.held = opened.promise;
  const leaving = new AbortController();
  const left = world.verifier.verify(world.token(), { signal: leaving.signal });
  const staying = world.verdict(world.token());
  leaving.abort("gone");

  await assert.rejects(left, (reason) => reason === "gone");
  opened.resolve();
  assert.equal(await staying, "ok");
  assert.equal(world.issuer.fetches, 1);
});

test("R9 a fetch whose every caller left still ends well, for the next caller", async () => {
  const world = tokenWorld();
  const opened = Promise.withResolvers<void>();
  world.issuer.held = opened.promise;
  const leaving = new AbortController();
  const left = world.verifier.verify(world.token(), { signal: leaving.signal });
  leaving.abort("gone");
  await assert.rejects(left);
  opened.resolve();

  assert.equal(await world.verdict(world.token()), "ok");
  assert.equal(world.issuer.fetches, 1);
});

const OUTAGES: readonly (readonly [what: string, spoil: (issuer: TestIssuer) => void])[] = [
  ["does not answer", (issuer) => (issuer.down = true)],
  ["has no metadata", (issuer) => (issuer.metadata = { status: 404 })],
  ["fails", (issuer) => (issuer.metadata = { status: 500 })],
  ["wants patience", (issuer) => (issuer.metadata = { status: 429 })],
  [
    "redirects its metadata",
    (issuer) => (issuer.metadata = { status: 302, headers: { location: KEYS_URL } }),
  ],
  [
    "has metadata of another",
    (issuer) => (issuer.metadata = json({ issuer: `${ISSUER}/`, jwks_uri: KEYS_URL })),
  ],
  [
    "has its keys at plain http",
    (issuer) => (issuer.metadata = json({ issuer: ISSUER, jwks_uri: "http://a.example" })),
  ],
  [
    "has its keys on this machine",
    (issuer) => (issuer.metadata = json({ issuer: ISSUER, jwks_uri: "http://localhost/k" })),
  ],
  [
    "has metadata above 64 KiB",
    (issuer) => (issuer.metadata = sized({ issuer: ISSUER, jwks_uri: KEYS_URL }, 65_537)),
  ],
  ["has no key set", (issuer) => (issuer.keySet = { status: 404 })],
  ["redirects its key set", (issuer) => (issuer.keySet = { status: 307, headers: { location: KEYS_URL } })],
  ["has a key set that is a page", (issuer) => (issuer.keySet = { status: 200, chunks: ["<html>"] })],
  ["has a key set above 64 KiB", (issuer) => (issuer.keySet = sized({ keys: [] }, 65_537))],
  [
    "has 33 keys",
    (issuer) => issuer.publish(...Array.from({ length: 33 }, (_, kid) => ({ kty: "oct", kid: `${kid}` }))),
  ],
];

function sized(value: object, bytes: number): ReturnType<typeof json> {
  return { status: 200, chunks: [JSON.stringify(value).padEnd(bytes, " ")] };
}

for (const [what, spoil] of OUTAGES) {
  test(`R9 an issuer that ${what} makes its keys unavailable, which is no fault of the token`, async () => {
    const world = tokenWorld();
    spoil(world.issuer);

    assert.equal(await world.verdict(world.token()), "keys-unavailable");
    assert.equal(world.issuer.egress.open, 0);
  });
}

test("R9 documents of 64 KiB and a set of 32 keys are read", async () => {
  const world = tokenWorld();
  const others = Array.from({ length: 31 }, (_, kid) => ({ kty: "oct", kid: `${kid}` }));
  world.issuer.metadata = sized({ issuer: ISSUER, jwks_uri: KEYS_URL }, 65_536);
  world.issuer.keySet = sized({ keys: [...others, world.key.jwk] }, 65_536);

  assert.equal(await world.verdict(world.token()), "ok");
});

test("R9 a key set above 64 KiB is not read where the host's own egress lets it through", async () => {
  const inner = tokenWorld();
  inner.issuer.keySet = sized({ keys: [inner.key.jwk] }, 65_537);
  const egress = Object.assign(Object.create(inner.issuer.egress), {
    fetch: (...[target, request, call]: Parameters<typeof inner.issuer.egress.fetch>) =>
      inner.issuer.egress.fetch(target, { ...request, responseLimitBytes: null }, call),
  });
  const world = tokenWorld({ egress });

  assert.equal(await world.verdict(inner.token()), "keys-unavailable");
});

test("R9 an issuer that was down is asked again after 30 s, and not before", async () => {
  const world = tokenWorld();
  world.issuer.down = true;
  assert.equal(await world.verdict(world.token()), "keys-unavailable");
  world.issuer.down = false;
  const asked = world.issuer.asked.length;

  await world.clock.advance(29_999);
  assert.equal(await world.verdict(world.token()), "keys-unavailable");
  assert.equal(world.issuer.asked.length, asked);
  await world.clock.advance(1);
  assert.equal(await world.verdict(world.token()), "ok");
});

test("R9 known keys stand through an outage for 15 minutes, and no longer", async () => {
  const world = tokenWorld();
  assert.equal(await world.verdict(world.token()), "ok");
  world.issuer.down = true;

  await world.clock.advance(899_999);
  assert.equal(await world.verdict(world.token()), "ok");
  await world.clock.advance(1);
  assert.equal(await world.verdict(world.token()), "keys-unavailable");
});

test("R9 during an outage nobody can say of a new key that it is unknown", async () => {
  const world = tokenWorld();
  assert.equal(await world.verdict(world.token()), "ok");
  world.issuer.down = true;
  await world.clock.advance(30_000);

  assert.equal(await world.verdict(world.token({ header: { kid: "two" } })), "keys-unavailable");
});

test("R9 an issuer that stays silent is given up after 10 s, and no timer is left", async () => {
  const world = tokenWorld();
  world.issuer.held = new Promise((resolve) => {
    void world.clock.wait(10_001, { signal: new AbortController().signal }).then(resolve);
  });
  const verdict = world.verdict(world.token());
  await world.clock.advance(10_001);

  assert.equal(await verdict, "keys-unavailable");
  assert.equal(world.clock.pending, 0);
});

test("R9 metadata at OpenID's place is read where RFC 8414's is empty", async () => {
  const world = tokenWorld();
  const { metadata } = world.issuer;
  world.issuer.metadata = { status: 404 };
  const openid = `${ISSUER}/.well-known/openid-configuration`;
  const asked: string[] = [];
  const egress = Object.assign(Object.create(world.issuer.egress), {
    fetch: async (...call: Parameters<typeof world.issuer.egress.fetch>) => {
      asked.push(call[0].href);
      if (call[0].href === openid) world.issuer.metadata = metadata;
      const place = call[0].href === openid ? { ...call[0], href: METADATA_URL } : call[0];
      return world.issuer.egress.fetch(place, call[1], call[2]);
    },
  });
  const other = tokenWorld({ egress });
  world.issuer.publish(other.key.jwk);

  assert.equal(await other.verdict(other.token()), "ok");
  assert.deepEqual(asked, [METADATA_URL, openid, KEYS_URL]);
});
