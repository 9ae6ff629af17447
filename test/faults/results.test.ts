/** Public faults of hosts with the results of tools, each against a real server that gives them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { ToolAnswer } from "../../src/composition/host/call-by-name.ts";
import { resultText } from "../../src/domain/catalog/result-text.ts";
import { valueOf } from "../kit/activation.ts";
import { hostWithTools } from "../kit/fault-servers.ts";

const OUTPUT = { type: "object", properties: { data: { type: "string" } }, required: ["data"] };
const TOOL = { name: "t", inputSchema: { type: "object" } };

async function answered(t: TestContext, result: object, tool: object = TOOL): Promise<ToolAnswer> {
  const { host } = await hostWithTools(t, [tool], () => result);
  return valueOf(await host.call("s__t", {}));
}

test("K8 fault I1 a failed result is not held against the output schema, and its words arrive", async (t) => {
  const failed = {
    isError: true,
    content: [{ type: "text", text: "boom" }],
    structuredContent: { error: "x" },
  };

  const { result } = await answered(t, failed, { ...TOOL, outputSchema: OUTPUT });

  assert.equal(result.isError, true);
  assert.deepEqual(result.mismatches, []);
  assert.equal(resultText(result), "boom");
});

test("K8 fault I2 a result without the structured content that its schema promised is told and keeps its content", async (t) => {
  const { result } = await answered(
    t,
    { content: [{ type: "text", text: "kept" }] },
    { ...TOOL, outputSchema: OUTPUT },
  );

  assert.equal(result.isError, false);
  assert.deepEqual(result.diagnostics, ["structured-missing"]);
  assert.deepEqual(result.parts, [{ type: "text", text: "kept" }]);
});

test("K8 fault I2 structured content that is not what its schema promised is told, and everything stays", async (t) => {
  const raw = { content: [{ type: "text", text: "kept" }], structuredContent: { data: 1 } };

  const { result } = await answered(t, raw, { ...TOOL, outputSchema: OUTPUT });

  assert.deepEqual(result.mismatches, [{ path: "/data", expected: "type string" }]);
  assert.deepEqual(result.parts, [
    { type: "text", text: "kept" },
    { type: "structured", value: { data: 1 } },
  ]);
});

for (const answer of [{}, { content: "text" }]) {
  test(`K6 fault I2 the answer ${JSON.stringify(answer)} is a result that says what is wrong with it`, async (t) => {
    const { host } = await hostWithTools(t, [TOOL], () => answer);

    const call = await host.call("s__t", {});

    assert.equal(call.ok && call.value.result.diagnostics.length > 0, true);
  });
}

test("C10 fault I2 an answer that is a list is no result: the call fails with a reason, at once", async (t) => {
  const { host } = await hostWithTools(t, [TOOL], () => []);

  const call = await host.call("s__t", {});

  assert.equal(!call.ok && call.refusal.refusal.reason, "invalid-response");
});

test("K6 fault I4 a result of nothing but structured content is shown as its JSON", async (t) => {
  const { result } = await answered(t, { content: [], structuredContent: { a: 1 } });

  assert.equal(resultText(result), '{"a":1}');
});

test("K6 K7 fault I5 an unknown kind of content and a huge text cost no other part, and nothing is lost", async (t) => {
  const text = "a".repeat(1_000_000);
  const raw = {
    content: [
      { type: "video", data: "AAAA" },
      { type: "text", text },
    ],
  };
  const { host } = await hostWithTools(t, [TOOL], () => raw);

  const { result } = valueOf(await host.call("s__t", {}));
  const reference = result.spilled?.reference ?? "";
  const kept = valueOf(await host.result(reference));

  assert.match(resultText(result), /^\[content left out: not known here, type "video"\]\naaaa/);
  assert.ok(resultText(result).length < 5_000);
  assert.deepEqual(
    kept.result.parts.map(({ type }) => type),
    ["unknown", "text"],
  );
  assert.deepEqual(kept.result.parts[1], { type: "text", text });
});

test("K6 fault I5 media of a result become what can be said of them where only text is shown", async (t) => {
  const data = Buffer.alloc(6_000).toString("base64");
  const { result } = await answered(t, { content: [{ type: "image", data, mimeType: "image/png" }] });

  assert.equal(resultText(result), "[image left out: image/png, 6000 bytes]");
});

test("K6 fault I7 a kind of content that the protocol does not have costs that part alone", async (t) => {
  const blob = { type: "blob", data: "AA==", mimeType: "x/y" };

  const { result } = await answered(t, { content: [blob, { type: "text", text: "kept" }] });

  assert.deepEqual(result.parts, [
    { type: "unknown", sourceType: "blob", value: blob },
    { type: "text", text: "kept" },
  ]);
});
