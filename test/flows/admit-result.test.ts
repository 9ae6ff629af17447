import assert from "node:assert/strict";
import { test } from "node:test";

import { createDiscoveredTool } from "../../src/composition/flows/call-tool.ts";
import { readResult } from "../../src/composition/flows/read-result.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { CatalogTool } from "../../src/domain/catalog/catalog.ts";
import { decodeCallResult } from "../../src/domain/catalog/content.ts";
import { accept, refuse } from "../../src/domain/outcome.ts";
import type { ResultSpill } from "../../src/ports/result-spill.ts";
import type { SchemaValidator } from "../../src/ports/schema-validator.ts";
import { valueOf } from "../kit/activation.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, NEVER } from "../kit/fake-sessions.ts";
import { createMemoryResultSpill } from "../kit/memory-result-spill.ts";

const TOOL: CatalogTool = {
  name: "s__big",
  serverId: "s",
  sourceName: "big",
  bucket: "adopted",
  reasons: [],
  title: undefined,
  description: undefined,
  inputSchema: { type: "object" },
  outputSchema: undefined,
  annotations: {},
};

interface Making {
  readonly spill?: ResultSpill;
  readonly tool?: Partial<CatalogTool>;
}

/** Whatever has an output schema misses it. */
const VALIDATOR: SchemaValidator = {
  compile: (schema) => () => (schema === TOOL.inputSchema ? [] : [{ path: "/a", expected: "a number" }]),
};

function calling(raw: Readonly<Record<string, unknown>>, { spill, tool = {} }: Making = {}) {
  const session = createSession(new FakePeer(() => raw), fakeSessionOptions());
  const options = { session, validator: VALIDATOR, ...(spill && { spill }) };
  return createDiscoveredTool({ ...TOOL, ...tool }, options).call({});
}

function text(chars: number) {
  return { content: [{ type: "text", text: "x".repeat(chars) }] };
}

test("K7 a result that fits is handed over as it is, and nothing is kept", async () => {
  const spill = createMemoryResultSpill();

  const result = valueOf(await calling(text(9_000), { spill }));

  assert.deepEqual(result, decodeCallResult(text(9_000)));
  assert.equal(spill.kept.size, 0);
});

test("K7 a result above 10,000 characters is handed over whole, with a warning", async () => {
  const spill = createMemoryResultSpill();

  const result = valueOf(await calling(text(20_000), { spill }));

  assert.deepEqual(result.diagnostics, ["result-large"]);
  assert.deepEqual(result.parts, text(20_000).content);
  assert.equal(spill.kept.size, 0);
});

test("K7 a result above 25,000 characters is kept, and read back whole by its reference", async () => {
  const spill = createMemoryResultSpill();
  const raw = { ...text(30_000), structuredContent: { a: 1 } };

  const result = valueOf(await calling(raw, { spill }));

  assert.deepEqual(result.parts, [{ type: "text", text: "x".repeat(2_000) }]);
  const reference = result.spilled?.reference ?? "";
  assert.deepEqual(valueOf(await readResult(reference, { spill, signal: NEVER })), {
    tool: "s__big",
    serverId: "s",
    sourceName: "big",
    result: decodeCallResult(raw),
  });
});

test("K7 a tool that asked for more hands over more, with a warning, up to what it asked for", async () => {
  const spill = createMemoryResultSpill();
  const tool = { resultSizeChars: 40_000 };

  const within = valueOf(await calling(text(39_000), { spill, tool }));
  const above = valueOf(await calling(text(40_001), { spill, tool }));

  assert.deepEqual([within.diagnostics, within.spilled], [["result-large"], undefined]);
  assert.deepEqual(above.diagnostics, ["result-spilled"]);
});

test("K7 without a spill port a result that is too large is refused with the limit", async () => {
  assert.deepEqual(await calling(text(30_000)), {
    ok: false,
    refusal: { refusal: { kind: "result", reason: "too-large", limitChars: 25_000 } },
  });
});

test("K7 a result that could not be kept is refused, and not handed over in part", async () => {
  const full: ResultSpill = {
    store: async () => refuse({ kind: "store", reason: "store-full" }),
    load: async () => refuse({ kind: "result", reason: "reference-unknown" }),
  };

  assert.deepEqual(await calling(text(30_000), { spill: full }), {
    ok: false,
    refusal: { refusal: { kind: "result", reason: "not-kept", store: "store-full" } },
  });
});

test("K7 K8 a failed result that is too large stays a failed one", async () => {
  const spill = createMemoryResultSpill();

  const result = valueOf(await calling({ ...text(30_000), isError: true }, { spill }));

  assert.deepEqual([result.isError, result.diagnostics], [true, ["result-spilled"]]);
});

test("K7 K8 what a kept result misses of its output schema is reported on what is handed over", async () => {
  const spill = createMemoryResultSpill();
  const raw = { ...text(30_000), structuredContent: { a: "x" } };

  const result = valueOf(
    await calling(raw, { spill, tool: { outputSchema: { type: "object", title: "o" } } }),
  );

  assert.deepEqual(result.mismatches, [{ path: "/a", expected: "a number" }]);
  assert.deepEqual(result.diagnostics, ["structured-mismatch", "result-spilled"]);
});

test("K7 the answer of a tool is kept even when the caller left while it was stored", async () => {
  const memory = createMemoryResultSpill();
  const leaving = new AbortController();
  const spill: ResultSpill = {
    ...memory,
    store: (kept, call) => {
      leaving.abort();
      return memory.store(kept, call);
    },
  };
  const session = createSession(new FakePeer(() => text(30_000)), fakeSessionOptions());
  const tool = createDiscoveredTool(TOOL, { session, validator: VALIDATOR, spill });

  const answer = await tool.call({}, { signal: leaving.signal });

  assert.equal(answer.ok, true);
  assert.equal(memory.kept.size, 1);
});

test("K7 what was not kept by us is refused as corrupt", async () => {
  const spill: ResultSpill = { ...createMemoryResultSpill(), load: async () => accept("{}") };

  assert.deepEqual(await readResult("a".repeat(32), { spill, signal: NEVER }), {
    ok: false,
    refusal: { kind: "store", reason: "store-corrupt" },
  });
});
