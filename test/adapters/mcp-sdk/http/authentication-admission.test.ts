import assert from "node:assert/strict";
import { test } from "node:test";

import type { ServerDefinition } from "../../../../src/domain/definition/definition.ts";
import { bearer, scriptedAuthenticator } from "../../../kit/authenticators.ts";
import {
  approvalOf,
  httpDefinition,
  loopbackAdapter,
  type DefinitionOverrides,
} from "../../../kit/http-carriers.ts";

const OWN = scriptedAuthenticator([bearer("token")]);
const OTHERS = scriptedAuthenticator([bearer("token")], { securityIdentity: "2".repeat(64) });

const ASKING = [
  { parts: { oauth: {} }, missing: "sign-in-unavailable" },
  { parts: { hasHeadersHelper: true }, missing: "headers-helper-unavailable" },
] as const;

for (const { parts, missing } of ASKING) {
  const [asks] = Object.keys(parts);
  test(`U3 a definition with ${asks} is admitted with its own authenticator, and refused without`, () => {
    const definition = httpDefinition({ parts });
    const adapter = loopbackAdapter({ authenticatorFor: () => OWN });
    assert.equal(adapter.admit(definition, approvalOf(definition)).ok, true);
    for (const without of [loopbackAdapter(), loopbackAdapter({ authenticatorFor: () => undefined })]) {
      assert.deepEqual(without.admit(definition, approvalOf(definition)), {
        ok: false,
        refusal: { kind: "http-admission", reason: missing, serverId: "docs" },
      });
    }
  });
}

for (const parts of [{ oauth: {} }, { hasHeadersHelper: true }, {}]) {
  test(`U1 the authenticator of another server is refused for ${JSON.stringify(parts)}, and never asked`, () => {
    const definition = httpDefinition({ parts });
    const adapter = loopbackAdapter({ authenticatorFor: () => OTHERS });
    assert.deepEqual(adapter.admit(definition, approvalOf(definition)), {
      ok: false,
      refusal: { kind: "http-admission", reason: "authenticator-mismatch", serverId: "docs" },
    });
    assert.equal(OTHERS.asked(), 0);
  });
}

test("U1 an authenticator is looked for once what comes before it was in order, by the very definition", () => {
  const asked: ServerDefinition[] = [];
  const adapter = loopbackAdapter({
    authenticatorFor: (definition) => {
      asked.push(definition);
      return undefined;
    },
  });
  const early: readonly DefinitionOverrides[] = [
    { parts: { transport: "sse" } },
    { parts: { disabled: true } },
    { parts: { unsetVariables: [{ variable: "A", path: "url" }] } },
  ];
  for (const overrides of early) {
    const definition = httpDefinition(overrides);
    assert.equal(adapter.admit(definition, approvalOf(definition)).ok, false);
  }
  const pending = httpDefinition();
  assert.equal(adapter.admit(pending, { status: "pending" }).ok, false);
  assert.deepEqual(asked, []);
  const fine = httpDefinition();
  assert.equal(adapter.admit(fine, approvalOf(fine)).ok, true);
  assert.equal(asked.length === 1 && asked[0] === fine, true);
});
