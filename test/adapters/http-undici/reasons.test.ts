import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { EgressReason } from "../../../src/domain/egress/refusal.ts";
import { admitTarget, type AdmittedTarget } from "../../../src/domain/egress/target.ts";
import { EgressError } from "../../../src/ports/egress.ts";
import { answer, egressWorld, silent, startHttp, textOf, type EgressWorld } from "../../kit/egress-world.ts";

const admission = (url: string) => (): Promise<unknown> => {
  const outcome = admitTarget(url, { allowDestinations: [] });
  return Promise.resolve(outcome.ok ? undefined : outcome.refusal.reason);
};

async function reasonOf(sending: ReturnType<EgressWorld["send"]>): Promise<unknown> {
  const outcome = await sending;
  if (!outcome.ok) return outcome.refusal.reason;
  return await textOf(outcome).catch((error: unknown) =>
    error instanceof EgressError ? error.refusal.reason : error,
  );
}

/** What produces each reason, through the door that a caller uses. A new reason does not compile without one. */
const PRODUCERS: Readonly<Record<EgressReason, (t: TestContext) => Promise<unknown>>> = {
  "unsupported-scheme": admission("ftp://example.com/"),
  "insecure-scheme": admission("http://example.com/"),
  userinfo: admission("https://a@example.com/"),
  "invalid-url": admission("https://example.com/#x"),
  "private-address": (t) =>
    reasonOf(egressWorld(t, { names: { "a.test": ["10.0.0.1"] } }).send("https://a.test/")),
  "metadata-address": (t) =>
    reasonOf(egressWorld(t, { names: { "a.test": ["169.254.169.254"] } }).send("https://a.test/")),
  unresolvable: (t) => reasonOf(egressWorld(t).send("https://a.test/")),
  redirect: async (t) => {
    const server = await startHttp(t, (_, response) => void response.writeHead(302, { location: "/" }).end());
    return reasonOf(egressWorld(t).send(`http://127.0.0.1:${server.port}/`));
  },
  "endpoint-mismatch": async (t) => {
    const { admit, egress } = egressWorld(t);
    const forged: AdmittedTarget = { ...admit("https://example.com/") };
    const request = { method: "GET", headers: [], responseLimitBytes: 1 } as const;
    return reasonOf(egress.fetch(forged, request, { signal: new AbortController().signal }));
  },
  "response-too-large": async (t) => {
    const server = await startHttp(t, answer("hello"));
    return reasonOf(egressWorld(t).send(`http://127.0.0.1:${server.port}/`, { responseLimitBytes: 4 }));
  },
  timeout: async (t) => {
    const server = await startHttp(t, silent);
    const { send, clock } = egressWorld(t);
    const sending = send(`http://127.0.0.1:${server.port}/`);
    await server.until(({ hits }) => hits.length === 1);
    await clock.advance(30_000);
    return reasonOf(sending);
  },
  closed: async (t) => {
    const { send, egress } = egressWorld(t);
    await egress.close();
    return reasonOf(send("https://example.com/"));
  },
};

for (const [reason, produce] of Object.entries(PRODUCERS)) {
  test(`E9 the reason ${reason} is produced`, async (t) => {
    assert.equal(await produce(t), reason);
  });
}

test("E9 a resolver that fails is a failure of the network, not a refusal", async (t) => {
  const resolver = { resolve: () => Promise.reject(new Error("marker-4711")) };
  const outcome = await egressWorld(t, { resolver }).send("https://a.test/");
  assert.deepEqual(outcome, { ok: false, refusal: { kind: "network", reason: "unreachable" } });
});
