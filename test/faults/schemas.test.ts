/** Public faults of hosts with the schemas of tools, each against a real server that shows them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { AdaptReason } from "../../src/domain/catalog/catalog.ts";
import { callsOf, hostWithTools } from "../kit/fault-servers.ts";
import { startScriptedServer, sendJson } from "../kit/http-mcp-server.ts";

const GOOD = { name: "good", inputSchema: { type: "object" } };

interface Row {
  readonly fault: string;
  readonly what: string;
  readonly inputSchema: unknown;
  readonly reasons: readonly AdaptReason["reason"][];
  /** What may be sent; reaches the server. */
  readonly fits: unknown;
  /** What may not; does not. */
  readonly misfits?: unknown;
}

const A_AND_B = { a: { type: "string" }, b: { type: "string" } };

/* As text: an object of ours with a `then` could be taken for a promise. */
const CONDITION: unknown = JSON.parse('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }');

const ADAPTED: readonly Row[] = [
  {
    fault: "G1",
    what: "alternatives at the root beside properties",
    inputSchema: { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: A_AND_B },
    reasons: ["root-combinator"],
    fits: { a: "x" },
    misfits: { a: 1 },
  },
  {
    fault: "G1",
    what: "alternatives at the root alone",
    inputSchema: {
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
      ],
    },
    reasons: ["root-combinator"],
    // Which of the two is meant is given up, and with it what only one of them says.
    fits: { b: "x" },
  },
  {
    fault: "G2",
    what: "a condition at the root",
    inputSchema: {
      type: "object",
      properties: A_AND_B,
      allOf: [CONDITION],
    },
    reasons: ["conditional"],
    fits: { a: "x" },
    misfits: { b: 1 },
  },
  {
    fault: "G4",
    what: "a local reference inside `allOf`",
    inputSchema: {
      type: "object",
      allOf: [{ $ref: "#/$defs/B" }, { properties: { c: { type: "number" } } }],
      $defs: { B: { type: "object", properties: { b: { type: "string" } }, required: ["b"] } },
    },
    reasons: ["all-of-merged"],
    fits: { b: "x", c: 1 },
    misfits: { c: 1 },
  },
  { fault: "G10", what: "an empty schema", inputSchema: {}, reasons: ["root-type-missing"], fits: { x: 1 } },
  {
    fault: "G10",
    what: "an empty list for a schema",
    inputSchema: [],
    reasons: ["schema-empty-array"],
    fits: { x: 1 },
  },
  { fault: "G10", what: "no schema", inputSchema: undefined, reasons: ["schema-missing"], fits: { x: 1 } },
  {
    fault: "G10",
    what: "an empty list for properties",
    inputSchema: { type: "object", properties: [] },
    reasons: ["properties-array"],
    fits: { x: 1 },
  },
  {
    fault: "G10",
    what: "a property without a type",
    inputSchema: { type: "object", properties: { d: { description: "x" } }, required: ["d"] },
    reasons: [],
    fits: { d: [1] },
    misfits: {},
  },
  {
    fault: "G11",
    what: "properties of a text",
    inputSchema: {
      type: "object",
      properties: { p: { type: "string", properties: { a: {} }, required: ["a"] } },
    },
    reasons: ["idle-keyword"],
    fits: { p: "x" },
    misfits: { p: { a: 1 } },
  },
  {
    fault: "G13",
    what: "a schema that contains itself by a pointer",
    inputSchema: {
      type: "object",
      properties: {
        n: {
          type: "array",
          items: {
            type: "object",
            properties: { c: { type: "array", items: { $ref: "#/properties/n/items" } } },
          },
        },
      },
    },
    reasons: ["ref-recursive"],
    fits: { n: [{ c: [{ c: [] }] }] },
    misfits: { n: [{ c: 1 }] },
  },
  {
    fault: "G17",
    what: "an exclusive bound in the old spelling",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { t: { type: "integer", exclusiveMinimum: true, minimum: 0 } },
    },
    reasons: ["exclusive-bound"],
    fits: { t: 1 },
    misfits: { t: 0 },
  },
];

/* What a model API takes at the root: an object, and nothing that combines. */
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "$ref", "enum"];

for (const { fault, what, inputSchema, reasons, fits, misfits } of ADAPTED) {
  test(`K4 fault ${fault} a tool with ${what} stays, is told, and is checked as far as it can be`, async (t) => {
    const { host, server } = await hostWithTools(t, [{ name: "odd", inputSchema }, GOOD]);

    const { tools, rejected } = await host.catalog();
    const odd = tools.get("s__odd");
    const sent = await host.call("s__odd", fits);
    const kept = misfits === undefined ? undefined : await host.call("s__odd", misfits);

    assert.deepEqual([[...tools.keys()], rejected], [["s__good", "s__odd"], []]);
    const told = odd?.reasons.map(({ reason }) => reason) ?? [];
    for (const reason of reasons) assert.ok(told.includes(reason), `${reason} is not among ${told.join()}`);
    assert.equal(odd?.bucket, reasons.length === 0 ? "adopted" : "adapted");
    assert.equal(odd.inputSchema["type"], "object");
    assert.deepEqual(
      COMBINATORS.filter((keyword) => Object.hasOwn(odd.inputSchema, keyword)),
      [],
    );
    assert.equal(typeof JSON.stringify(odd.inputSchema), "string");
    assert.equal(sent.ok, true);
    if (kept !== undefined) assert.equal(!kept.ok && kept.refusal.refusal.reason, "invalid-arguments");
    assert.deepEqual(callsOf(server), ["odd"]);
  });
}

const QUARANTINED = [
  ["G11", "root-not-object", { type: "string", properties: { a: {} }, required: ["a"] }],
  ["G13", "ref-loop", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }],
  ["G10", "schema-not-object", "text"],
] as const;

for (const [fault, reason, inputSchema] of QUARANTINED) {
  test(`K2 fault ${fault} a tool whose schema is hopeless is listed with ${reason}, and costs no other`, async (t) => {
    const { host, server } = await hostWithTools(t, [{ name: "odd", inputSchema }, GOOD]);

    const { tools, rejected } = await host.catalog();
    const call = await host.call("s__odd", {});

    assert.deepEqual([...tools.keys()], ["s__good"]);
    assert.deepEqual(rejected, [{ kind: "tool", serverId: "s", sourceName: "odd", reason }]);
    assert.equal(!call.ok && call.refusal.refusal.reason, "unknown-tool");
    assert.deepEqual(callsOf(server), []);
  });
}

for (const [fault, reason, schemaAt] of [
  ["G4", "ref-remote", (url: string) => ({ type: "object", properties: { a: { $ref: url } } })],
  ["G17", "dialect-unknown", (url: string) => ({ $schema: url, type: "object" })],
] as const) {
  test(`K4 fault ${fault} a schema that points elsewhere is quarantined with ${reason}, and nothing is fetched`, async (t) => {
    const elsewhere = await startScriptedServer(t, (_, response) => sendJson(response, { type: "object" }));
    const odd = { name: "odd", inputSchema: schemaAt(`${elsewhere.origin}/schema.json`) };
    const { host } = await hostWithTools(t, [odd, GOOD]);

    const { tools, rejected } = await host.catalog();
    await host.call("s__good", {});

    assert.deepEqual(
      [[...tools.keys()], rejected.map((item) => [item.sourceName, item.reason])],
      [["s__good"], [["odd", reason]]],
    );
    assert.deepEqual(elsewhere.requests, []);
  });
}
