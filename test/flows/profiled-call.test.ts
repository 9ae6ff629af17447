import assert from "node:assert/strict";
import { test } from "node:test";

import { createSchemaValidator } from "../../src/adapters/json-schema/validator.ts";
import { createDiscoveredTool } from "../../src/composition/flows/call-tool.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { CatalogTool } from "../../src/domain/catalog/catalog.ts";
import type { SchemaProfile } from "../../src/domain/catalog/profile-rules.ts";
import { profileTool } from "../../src/domain/catalog/profile-tool.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions } from "../kit/fake-sessions.ts";

const TOOL: CatalogTool = {
  name: "s__find",
  serverId: "s",
  sourceName: "find",
  bucket: "adapted",
  reasons: [{ reason: "one-of", path: "/inputSchema/oneOf" }],
  title: undefined,
  description: undefined,
  inputSchema: {
    type: "object",
    properties: {
      "q[]": { type: "string", minLength: 2 },
      limit: { type: "integer" },
      any: {
        anyOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { type: "object", maxProperties: 1 },
        ],
      },
    },
    required: ["q[]"],
  },
  outputSchema: undefined,
  annotations: {},
};

function made(tool: CatalogTool, schemaProfile?: SchemaProfile) {
  const peer = new FakePeer(() => ({ content: [] }));
  const session = createSession(peer, fakeSessionOptions());
  const options = { session, validator: createSchemaValidator(), ...(schemaProfile && { schemaProfile }) };
  const discovered = createDiscoveredTool(tool, options);
  const sent = (): unknown => peer.asked.map(({ params }) => params?.["arguments"]);
  return { discovered, sent };
}

test("K4 a tool without a profile shows its narrowed schema and is called as given", async () => {
  const { discovered, sent } = made(TOOL);

  const refused = await discovered.call({ "q[]": "xy", limit: null });
  await discovered.call({ "q[]": "xy" });

  assert.equal(discovered.inputSchema, TOOL.inputSchema);
  assert.equal(refused.ok, false);
  assert.deepEqual(sent(), [{ "q[]": "xy" }]);
});

for (const [how, tool, profile] of [
  ["asked for", TOOL, "openai-strict"],
  ["that came with it", profileTool(TOOL, "openai-strict"), undefined],
  ["asked for in place of another", profileTool(TOOL, "gemini"), "openai-strict"],
] as const) {
  test(`K5 a call under the profile ${how} goes out without the nulls that say absent`, async () => {
    const { discovered, sent } = made(tool, profile);

    const answer = await discovered.call({ "q[]": "xy", limit: null, any: null });

    assert.ok(answer.ok);
    assert.deepEqual(discovered.inputSchema["required"], ["q[]", "limit", "any"]);
    assert.deepEqual(sent(), [{ "q[]": "xy" }]);
  });

  test(`K5 a call under the profile ${how} is held to the narrowed schema, and nothing is sent`, async () => {
    const { discovered, sent } = made(tool, profile);

    const answer = await discovered.call({ "q[]": "x", limit: null, any: null });

    assert.deepEqual(!answer.ok && answer.refusal, {
      refusal: {
        kind: "call",
        reason: "invalid-arguments",
        mismatches: [{ path: "/q[]", expected: "minLength 2" }],
      },
    });
    assert.deepEqual(sent(), []);
  });
}

test("K5 a renamed property goes out under the server's own name, and so it does when it was given so", async () => {
  const { discovered, sent } = made(TOOL, "anthropic");
  const [shown = ""] = Object.keys(discovered.inputSchema["properties"] ?? {});

  await discovered.call({ [shown]: "xy" });
  await discovered.call({ "q[]": "xy" });

  assert.match(shown, /^q___[0-9a-f]{8}$/);
  assert.deepEqual(sent(), [{ "q[]": "xy" }, { "q[]": "xy" }]);
});

test("K5 arguments that fit as they are given are sent so, where undoing would make them unfit", async () => {
  const o = {
    type: "object",
    minProperties: 1,
    anyOf: [{ properties: { k: { type: "string" } } }, { minProperties: 1 }],
  };
  const { discovered, sent } = made(
    { ...TOOL, inputSchema: { type: "object", properties: { o } } },
    "openai-strict",
  );

  const answer = await discovered.call({ o: { k: null } });

  assert.ok(answer.ok);
  assert.deepEqual(sent(), [{ o: { k: null } }]);
});

test("K2 a profile adds its reasons to those of narrowing, each at its place in the tool", () => {
  const strict = profileTool(TOOL, "openai-strict");
  const loose = profileTool(strict, "openai");

  assert.deepEqual(strict.reasons, [
    { reason: "one-of", path: "/inputSchema/oneOf" },
    { reason: "keyword-not-taken", path: "/inputSchema/properties/q[]/minLength" },
    { reason: "keyword-not-taken", path: "/inputSchema/properties/any/anyOf/1/maxProperties" },
    { reason: "additional-closed", path: "/inputSchema/properties/any/anyOf/1/additionalProperties" },
  ]);
  assert.deepEqual(loose.reasons, TOOL.reasons);
  assert.deepEqual(loose.inputSchema, TOOL.inputSchema);
});

test("K2 a tool that a profile shows whole stays adopted", () => {
  const adopted: CatalogTool = { ...TOOL, bucket: "adopted", reasons: [] };

  assert.equal(profileTool(adopted, "openai").bucket, "adopted");
  assert.equal(profileTool(adopted, "openai-strict").bucket, "adapted");
});
