import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  classifyIncoming,
  isOlderEraEvidence,
  isRepeatable,
  stageOf,
} from "../../../src/domain/http/message.ts";

const result = { content: [] };
const error = { code: -32601, message: "no" };
const rpc = (members: object): object => ({ jsonrpc: "2.0", ...members });

test("H3b a result for the request's own id is its answer", () => {
  assert.deepEqual(classifyIncoming(rpc({ id: 7, result }), 7), {
    kind: "answer",
    message: { jsonrpc: "2.0", id: 7, result },
  });
});

test("H3b an error for the request's own id is its answer", () => {
  assert.deepEqual(classifyIncoming(rpc({ id: "a", error }), "a"), {
    kind: "answer",
    message: { jsonrpc: "2.0", id: "a", error },
  });
});

test("H3b an error that names no id answers the exchange it came in", () => {
  for (const id of [null, undefined]) {
    assert.deepEqual(classifyIncoming(rpc({ id, error }), 7), {
      kind: "answer",
      message: { jsonrpc: "2.0", id: 7, error },
    });
  }
});

test("H3b members the protocol does not know are left out of an answer", () => {
  assert.deepEqual(classifyIncoming(rpc({ id: 7, result, extra: 1 }), 7), {
    kind: "answer",
    message: { jsonrpc: "2.0", id: 7, result },
  });
});

for (const id of [8, "7", "", 7.5, -7]) {
  test(`H3b the id ${JSON.stringify(id)} does not answer request 7`, () => {
    assert.deepEqual(classifyIncoming(rpc({ id, result }), 7), { kind: "foreign-answer" });
  });
}

test("H3b a response on a stream that belongs to no request answers nobody", () => {
  assert.deepEqual(classifyIncoming(rpc({ id: 7, result }), undefined), { kind: "foreign-answer" });
});

test("H3b what names a method is the server's own message, whatever its id", () => {
  for (const members of [{ method: "ping", id: 7 }, { method: "notifications/progress" }]) {
    assert.deepEqual(classifyIncoming(rpc(members), 7), { kind: "server-message", message: rpc(members) });
  }
});

const INVALID = [
  null,
  "x",
  7,
  [],
  [rpc({ id: 7, result })],
  {},
  { id: 7, result },
  { jsonrpc: "1.0", id: 7, result },
  rpc({ id: 7 }),
  rpc({ id: 7, result, error }),
  rpc({ id: 7, result: "text" }),
  rpc({ id: 7, result: [] }),
  rpc({ id: 7, error: "text" }),
  rpc({ id: null, result }),
  rpc({ id: {}, result }),
  rpc({ id: true, error }),
  rpc({ method: 7 }),
];

for (const value of INVALID) {
  test(`H3b ${JSON.stringify(value)} is no message`, () => {
    assert.deepEqual(classifyIncoming(value, 7), { kind: "invalid" });
  });
}

test("H3b classifying never throws, and only the exact id is ever an answer with a result", () => {
  const value = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.constant(7), fc.jsonValue()),
      method: fc.jsonValue(),
      result: fc.oneof(fc.constant({}), fc.jsonValue()),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(value, fc.jsonValue()), (incoming) => {
      const classified = classifyIncoming(incoming, 7);
      if (classified.kind !== "answer") return;
      assert.equal(classified.message["id"], 7);
      const given = (incoming as { readonly id?: unknown }).id;
      if ("result" in classified.message) assert.equal(given, 7);
    }),
    { numRuns: 500 },
  );
});

test("H3c only reads are sent again after a lost session", () => {
  const methods = [
    "tools/call",
    "initialize",
    "logging/setLevel",
    "resources/subscribe",
    "x/y",
    "constructor",
  ];
  assert.deepEqual(methods.filter(isRepeatable), []);
  const reads = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping"];
  assert.deepEqual([...reads, "resources/read", "prompts/get"].filter(isRepeatable).length, reads.length + 2);
});

test("C10 a failure is told under the stage of its request", () => {
  const stages = ["initialize", "server/discover", "tools/list", "resources/read", "tools/call", "x/y"].map(
    stageOf,
  );
  assert.deepEqual(stages, ["connect", "connect", "list-tools", "read-resource", "call", "call"]);
});

test("C7b only a status that an older server gives to an unknown request is evidence of the older era", () => {
  const older = [400, 404, 405, 406, 415, 422];
  const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
  assert.deepEqual(
    statuses.filter((status) => isOlderEraEvidence("server/discover", status)),
    older,
  );
  assert.deepEqual(
    statuses.filter((status) => isOlderEraEvidence("initialize", status)),
    [],
  );
});
