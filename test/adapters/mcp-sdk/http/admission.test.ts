import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { createStreamableHttpAdapter } from "../../../../src/adapters/mcp-sdk/streamable-http.ts";
import type { ActivationStatus } from "../../../../src/domain/activation/approval.ts";
import type { ServerDefinition } from "../../../../src/domain/definition/definition.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import {
  approvalOf,
  httpDefinition,
  loopbackAdapter,
  type DefinitionOverrides,
} from "../../../kit/http-carriers.ts";
import { sendJson, startScriptedServer } from "../../../kit/http-mcp-server.ts";
import { PlainEgress } from "../../../kit/plain-egress.ts";

function refusalOf(
  definition: ServerDefinition,
  activation: ActivationStatus = approvalOf(definition),
): unknown {
  const egress = new PlainEgress();
  const outcome = loopbackAdapter({ egress }).admit(definition, activation);
  assert.equal(egress.asked.length, 0);
  return outcome.ok ? undefined : outcome.refusal;
}

const ACTIVATIONS: readonly ActivationStatus[] = [
  { status: "pending" },
  { status: "stale", differs: ["fingerprint"], record: approvalOf(httpDefinition()).record },
  { status: "rejected", authority: "user" },
  { status: "revoked", authority: "user" },
  { status: "untrusted" },
];

for (const activation of ACTIVATIONS) {
  test(`A3 a definition that is ${activation.status} is refused before anything else is looked at`, () => {
    const definition = httpDefinition({ url: "ftp://x", headers: { host: "x" }, parts: { disabled: true } });
    assert.deepEqual(refusalOf(definition, activation), {
      kind: "activation",
      reason: activation.status,
      serverId: "docs",
    });
  });
}

for (const parts of [
  { fingerprint: "0".repeat(64) },
  { securityIdentity: "0".repeat(64) },
  { name: "other" },
]) {
  test(`A2 an approval of another ${Object.keys(parts)[0]} admits nothing`, () => {
    const approved = approvalOf(httpDefinition());
    const definition = httpDefinition({ parts });
    assert.deepEqual(refusalOf(definition, approved), {
      kind: "activation",
      reason: "stale",
      serverId: definition.name,
    });
  });
}

const unset = { variable: "TOKEN", path: "headers.authorization" };
const OWN: readonly {
  readonly reason: string;
  readonly overrides: DefinitionOverrides;
  readonly more?: object;
}[] = [
  { reason: "sse-transport", overrides: { parts: { transport: "sse" } } },
  { reason: "websocket-transport", overrides: { parts: { transport: "ws" } } },
  { reason: "disabled", overrides: { parts: { disabled: true } } },
  {
    reason: "unset-variable",
    overrides: { parts: { unsetVariables: [unset] } },
    more: { variable: "TOKEN" },
  },
  { reason: "sign-in-unavailable", overrides: { parts: { oauth: {} } } },
  { reason: "headers-helper-unavailable", overrides: { parts: { hasHeadersHelper: true } } },
  { reason: "reserved-header", overrides: { headers: { ok: "1", Host: "evil" } }, more: { position: 2 } },
  { reason: "invalid-header-name", overrides: { headers: { "a b": "1" } }, more: { position: 1 } },
  { reason: "invalid-header-value", overrides: { headers: { a: "1\r\nb: 2" } }, more: { position: 1 } },
  { reason: "duplicate-header", overrides: { headers: { a: "1", A: "2" } }, more: { position: 2 } },
  {
    reason: "too-many-headers",
    overrides: { headers: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`x-${index}`, "v"])) },
    more: { position: 65 },
  },
];

for (const { reason, overrides, more } of OWN) {
  const id = reason.includes("transport") ? "H7" : reason.includes("header") && more ? "H2" : "H1";
  test(`${id} a definition is refused for ${reason}, and nothing is asked of the network`, () => {
    const refusal = refusalOf(httpDefinition({ ...overrides, url: "http://10.0.0.1/" }));
    assert.deepEqual(refusal, { kind: "http-admission", reason, serverId: "docs", ...more });
  });
}

test("U3 an sse entry with an unset variable is refused for its transport first", () => {
  const parts = { transport: "sse", unsetVariables: [unset] } as const;
  assert.deepEqual(refusalOf(httpDefinition({ parts })), {
    kind: "http-admission",
    reason: "sse-transport",
    serverId: "docs",
  });
});

for (const { url, reason } of [
  { url: "http://mcp.example/", reason: "insecure-scheme" },
  { url: "https://10.0.0.1/", reason: "private-address" },
  { url: "https://169.254.169.254/", reason: "metadata-address" },
  { url: "https://user:pw@mcp.example/", reason: "userinfo" },
  { url: "file:///etc/passwd", reason: "unsupported-scheme" },
]) {
  test(`E1 the URL ${url} is refused for ${reason}`, () => {
    assert.deepEqual(refusalOf(httpDefinition({ url })), { kind: "egress", reason });
  });
}

test("H1 a stdio definition is a caller's bug", () => {
  const definition = httpDefinition({ parts: { transport: "stdio" } });
  assert.throws(() => loopbackAdapter().admit(definition, approvalOf(definition)), { code: "not-http" });
});

test("H1 an admission is frozen, shows nothing, and works for the adapter that made it alone", () => {
  const definition = httpDefinition({ headers: { authorization: "Bearer s3cret-value" } });
  const adapter = loopbackAdapter();
  const admitted = adapter.admit(definition, approvalOf(definition));
  assert.ok(admitted.ok);
  assert.equal(Object.isFrozen(admitted.value), true);
  assert.equal(JSON.stringify(admitted.value), "{}");
  assert.doesNotMatch(inspect(admitted.value, { depth: 9, showHidden: true }), /s3cret/);
  assert.equal(adapter.construct(admitted.value).kind, "http");
  assert.throws(() => loopbackAdapter().construct(admitted.value), {
    name: "TypeError",
    code: "foreign-admission",
  });
  const forged = Object.freeze(Object.create(null)) as typeof admitted.value;
  assert.throws(() => adapter.construct(forged), { name: "TypeError", code: "foreign-admission" });
});

test("D17 a carrier that is printed shows no header value", () => {
  const definition = httpDefinition({ headers: { authorization: "Bearer s3cret-value" } });
  const adapter = loopbackAdapter();
  const admitted = adapter.admit(definition, approvalOf(definition));
  assert.ok(admitted.ok);
  const carrier = adapter.construct(admitted.value);
  assert.doesNotMatch(inspect(carrier, { depth: 9, showHidden: true }) + JSON.stringify(carrier), /s3cret/);
});

test("H1 neither admitting, constructing nor starting sends anything", async () => {
  const egress = new PlainEgress();
  const definition = httpDefinition();
  const adapter = loopbackAdapter({ egress });
  const admitted = adapter.admit(definition, approvalOf(definition));
  assert.ok(admitted.ok);
  const carrier = adapter.construct(admitted.value);
  await carrier.start();
  await carrier.close();
  assert.equal(egress.asked.length, 0);
});

test("H1 changing the adapter's options after it was made changes nothing", () => {
  const policy = { allowDestinations: ["10.0.0.1:443"] };
  const adapter = createStreamableHttpAdapter({ egress: new PlainEgress(), policy, clock: new FakeClock() });
  policy.allowDestinations.push("10.0.0.2:443");
  const allowed = httpDefinition({ url: "https://10.0.0.1/" });
  const late = httpDefinition({ url: "https://10.0.0.2/" });
  assert.equal(adapter.admit(allowed, approvalOf(allowed)).ok, true);
  assert.equal(adapter.admit(late, approvalOf(late)).ok, false);
});

test("H4 every request goes to the one admitted target, wherever the server points", async (t) => {
  const egress = new PlainEgress();
  const server = await startScriptedServer(t, (request, response) => {
    response.setHeader("content-location", "http://127.0.0.1:1/elsewhere");
    response.setHeader("link", "<http://127.0.0.1:1/elsewhere>; rel=canonical");
    sendJson(response, { jsonrpc: "2.0", id: request.body?.id, result: {} });
  });
  const definition = httpDefinition({ url: server.url });
  const adapter = loopbackAdapter({ egress });
  const admitted = adapter.admit(definition, approvalOf(definition));
  assert.ok(admitted.ok);
  const carrier = adapter.construct(admitted.value);
  for (const id of [1, 2]) await carrier.send({ jsonrpc: "2.0", id, method: "ping" });
  await carrier.close();
  assert.deepEqual(new Set(egress.asked.map(({ target }) => target.href)), new Set([server.url]));
  assert.equal(new Set(egress.asked.map(({ target }) => target)).size, 1);
});
