import assert from "node:assert/strict";
import { test } from "node:test";

import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { containerOf, environmentOf, manyKeys } from "../../kit/definitions.ts";

const environment = environmentOf();

function problemsOf(value: unknown): readonly unknown[] {
  const container = { source: "user", origin: "/user/mcp.json", value } as const;
  const { servers, sourceProblems } = resolveServers([container], { environment });
  assert.deepEqual(servers, []);
  return sourceProblems;
}

function sourceProblem(reason: string): unknown {
  return { kind: "source", reason, source: "user", origin: "/user/mcp.json" };
}

test("D1 a root that is no object is one source problem", () => {
  for (const root of [null, undefined, [], "text", 7, true]) {
    assert.deepEqual(problemsOf(root), [sourceProblem("root-not-object")]);
  }
});

test("D1 a missing mcpServers is one source problem", () => {
  assert.deepEqual(problemsOf({ other: {} }), [sourceProblem("servers-missing")]);
  assert.deepEqual(problemsOf({}), [sourceProblem("servers-missing")]);
});

test("D1 A17 an mcpServers that is no object is one source problem", () => {
  for (const mcpServers of [[], null, "x", 1, [{ command: "a" }]]) {
    assert.deepEqual(problemsOf({ mcpServers }), [sourceProblem("servers-not-object")]);
  }
});

test("D1 a source problem hides no other source", () => {
  const { servers, sourceProblems } = resolveServers(
    [{ source: "local", origin: "/local", value: [] }, containerOf("user", { a: { command: "a" } })],
    { environment },
  );

  assert.equal(sourceProblems.length, 1);
  assert.deepEqual(
    servers.map(({ name, status }) => [name, status]),
    [["a", "resolved"]],
  );
});

test("D1b A14 an unreadable source is reported with its place and hides no other source", () => {
  const problem = { reason: "invalid-syntax", line: 3, column: 7 } as const;
  const { servers, sourceProblems } = resolveServers(
    [{ source: "project", origin: "/p", problem }, containerOf("user", { a: { command: "a" } })],
    { environment },
  );

  assert.deepEqual(sourceProblems, [{ kind: "source", source: "project", origin: "/p", ...problem }]);
  assert.equal(servers.length, 1);
});

test("D3 A17 entries that are no objects are one problem each, and the others stay", () => {
  const { servers } = resolveServers([containerOf("user", { a: null, b: "x", c: [], d: { command: "d" } })], {
    environment,
  });

  assert.deepEqual(
    servers.map((server) => [
      server.name,
      server.status === "unresolved" ? server.problem.reason : server.status,
    ]),
    [
      ["a", "not-object"],
      ["b", "not-object"],
      ["c", "not-object"],
      ["d", "resolved"],
    ],
  );
});

test("D2 __proto__ and constructor are plain server names", () => {
  const value: unknown = JSON.parse(
    '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"},"toString":{"command":"c"}}}',
  );
  const { servers } = resolveServers([{ source: "user", origin: "/u", value }], { environment });

  assert.deepEqual(
    servers.map(({ name, status }) => [name, status]),
    [
      ["__proto__", "resolved"],
      ["constructor", "resolved"],
      ["toString", "resolved"],
    ],
  );
});

test("D2 a bad name is a problem for that entry only", () => {
  const { servers, sourceProblems } = resolveServers(
    [containerOf("user", { "a\u202eb": { command: "a" }, ok: { command: "b" } })],
    { environment },
  );

  assert.deepEqual(sourceProblems, []);
  assert.deepEqual(
    servers.map((server) => (server.status === "unresolved" ? server.problem.reason : server.status)),
    ["invalid-name", "resolved"],
  );
});

test("D2 names are compared exactly", () => {
  const { servers } = resolveServers(
    [
      containerOf("user", {
        a: { command: "a" },
        A: { command: "a" },
        "a ": { command: "a" },
        "\u00e9": { command: "a" },
        "e\u0301": { command: "a" },
      }),
    ],
    { environment },
  );

  assert.equal(servers.length, 5);
});

test("D1b a key that stands twice refuses the entry under it and no other", () => {
  const { servers } = resolveServers(
    [
      {
        ...containerOf("user", { a: { command: "a" }, b: { command: "b", env: {} }, c: { command: "c" } }),
        duplicateKeys: [
          ["mcpServers", "a"],
          ["mcpServers", "b", "env", "PATH"],
          ["elsewhere", "c"],
        ],
      },
    ],
    { environment },
  );

  assert.deepEqual(
    servers.map((server) =>
      server.status === "unresolved" && server.problem.kind === "definition"
        ? [server.problem.reason, server.problem.path]
        : server.status,
    ),
    [["duplicate-key", ""], ["duplicate-key", "env"], "resolved"],
  );
});

test("D1b two mcpServers in one file are a source problem", () => {
  const container = { ...containerOf("user", { a: { command: "a" } }), duplicateKeys: [["mcpServers"]] };
  const { servers, sourceProblems } = resolveServers([container], { environment });

  assert.deepEqual(servers, []);
  assert.equal(sourceProblems[0]?.reason, "servers-duplicated");
});

test("D1 a container holds at most 10,000 servers", () => {
  const reasons = [9_999, 10_000, 10_001].map(
    (count) =>
      resolveServers([containerOf("user", manyKeys(count, { command: "a" }))], { environment })
        .sourceProblems[0]?.reason,
  );

  assert.deepEqual(reasons, [undefined, undefined, "too-many-servers"]);
});

test("D1b warnings of a source are handed on with its origin", () => {
  const container = { ...containerOf("user", {}), warnings: ["empty-file", "comments"] as const };
  const { sourceWarnings } = resolveServers([container], { environment });

  assert.deepEqual(sourceWarnings, [
    { source: "user", origin: "/user/mcp.json", warning: "empty-file" },
    { source: "user", origin: "/user/mcp.json", warning: "comments" },
  ]);
});
