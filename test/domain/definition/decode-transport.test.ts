import assert from "node:assert/strict";
import { test } from "node:test";

import { definitionOf, problemOf } from "../../kit/definitions.ts";

test("D4 each spelling of type is read as its transport", () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [{ type: "stdio", command: "a" }, "stdio"],
    [{ type: "http", url: "https://a.example" }, "http"],
    [{ type: "streamable-http", url: "https://a.example" }, "http"],
    [{ type: "streamableHttp", url: "https://a.example" }, "http"],
    [{ type: "sse", url: "https://a.example" }, "sse"],
    [{ type: "ws", url: "wss://a.example" }, "ws"],
  ];
  for (const [entry, transport] of rows) assert.equal(definitionOf(entry).transport, transport);
});

test("D4 another spelling that means http is noted", () => {
  assert.deepEqual(definitionOf({ type: "streamable-http", url: "https://a.example" }).notes, [
    { note: "transport-alias", alias: "streamable-http" },
  ]);
  assert.deepEqual(definitionOf({ type: "http", url: "https://a.example" }).notes, []);
});

test("D4 without type, command alone means stdio and url alone means http, noted as inferred", () => {
  const stdio = definitionOf({ command: "a" });
  const http = definitionOf({ url: "https://a.example" });

  assert.equal(stdio.transport, "stdio");
  assert.deepEqual(stdio.notes, [{ note: "transport-inferred", transport: "stdio" }]);
  assert.equal(http.transport, "http");
  assert.deepEqual(http.notes, [{ note: "transport-inferred", transport: "http" }]);
});

test("D4 without type, both or neither of command and url is a problem", () => {
  assert.equal(problemOf({ command: "a", url: "https://a.example" }).reason, "ambiguous-transport");
  assert.equal(problemOf({}).reason, "missing-field");
  assert.equal(problemOf({ httpUrl: "https://a.example" }).reason, "missing-field");
});

test("D4 a type that is not known is a problem, prototype names included", () => {
  for (const type of ["STDIO", "websocket", "", "constructor", "__proto__", "http "]) {
    assert.deepEqual(
      [problemOf({ type, command: "a" }).reason, problemOf({ type, command: "a" }).path],
      ["unknown-transport", "type"],
    );
  }
  assert.equal(problemOf({ type: 1, command: "a" }).reason, "invalid-type");
  assert.equal(problemOf({ type: null, command: "a" }).reason, "invalid-type");
});

test("D4 a field of the other transport is a problem, not ignored", () => {
  const stdio = { type: "stdio", command: "a" };
  const http = { type: "http", url: "https://a.example" };
  const rows: readonly (readonly [object, string])[] = [
    [{ ...stdio, url: "https://a.example" }, "url"],
    [{ ...stdio, headers: {} }, "headers"],
    [{ ...stdio, oauth: {} }, "oauth"],
    [{ ...stdio, headersHelper: { command: "/a" } }, "headersHelper"],
    [{ command: "a", headers: {} }, "headers"],
    [{ ...http, command: "a" }, "command"],
    [{ ...http, args: [] }, "args"],
    [{ ...http, cwd: "/" }, "cwd"],
    [{ url: "https://a.example", args: ["a"] }, "args"],
    [{ type: "sse", url: "https://a.example", command: "a" }, "command"],
  ];
  for (const [entry, path] of rows) {
    const problem = problemOf(entry);
    assert.deepEqual([problem.reason, problem.path], ["wrong-transport-field", path]);
  }
});

test("D4 type without the field it needs is a problem", () => {
  assert.deepEqual(
    [problemOf({ type: "stdio" }).reason, problemOf({ type: "stdio" }).path],
    ["missing-field", "command"],
  );
  assert.deepEqual(
    [problemOf({ type: "http" }).reason, problemOf({ type: "http" }).path],
    ["missing-field", "url"],
  );
});

test("D4 fields that an entry only inherits are not read", () => {
  const entry: unknown = Object.create({ command: "a" });
  assert.equal(problemOf(entry).reason, "missing-field");
});
