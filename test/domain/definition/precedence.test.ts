import assert from "node:assert/strict";
import { test } from "node:test";

import type { Container } from "../../../src/domain/definition/container.ts";
import { DEFINITION_SOURCES } from "../../../src/domain/definition/definition.ts";
import type { ResolvedServer } from "../../../src/domain/definition/resolution.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { containerOf, environmentOf, resolvedIn } from "../../kit/definitions.ts";

const environment = environmentOf();

function unreadable(source: Container["source"]): Container {
  return {
    source,
    origin: `/${source}/broken.json`,
    problem: { reason: "invalid-syntax", line: 1, column: 2 },
  };
}

function summary(server: ResolvedServer): readonly string[] {
  return [server.name, server.source, server.status];
}

test("D11 managed beats local beats project beats user beats plugin", () => {
  for (let strongest = 0; strongest < DEFINITION_SOURCES.length; strongest += 1) {
    const sources = DEFINITION_SOURCES.slice(strongest);
    const containers = sources.map((source) => containerOf(source, { s: { command: source } })).toReversed();
    const server = resolvedIn(containers, "s");

    assert.equal(server.source, sources[0]);
    assert.deepEqual(
      server.shadowed.map(({ source }) => source),
      sources.slice(1),
    );
  }
});

test("D11 the whole entry of the winner is taken, nothing is merged", () => {
  const server = resolvedIn(
    [
      containerOf("project", { s: { command: "p" } }),
      containerOf("user", { s: { command: "u", timeout: 5, tools: { deny: ["x"] } } }),
    ],
    "s",
  );

  assert.ok(server.status === "resolved");
  assert.equal(server.definition.timeoutMs, undefined);
  assert.deepEqual(server.definition.tools.deny, []);
});

test("D11 A13 a malformed winner still wins", () => {
  const server = resolvedIn(
    [containerOf("project", { s: { command: 7 } }), containerOf("user", { s: { command: "u" } })],
    "s",
  );

  assert.ok(server.status === "unresolved");
  assert.equal(server.source, "project");
  assert.equal(server.problem.reason, "invalid-type");
  assert.deepEqual(server.shadowed, [{ source: "user", origin: "/user/mcp.json" }]);
});

test("D11 of two containers of one source the first given wins", () => {
  const first = containerOf("plugin", { s: { command: "one" } }, "plugin-one");
  const second = containerOf("plugin", { s: { command: "two" }, t: { command: "two" } }, "plugin-two");

  assert.equal(resolvedIn([first, second], "s").origin, "plugin-one");
  assert.equal(resolvedIn([second, first], "s").origin, "plugin-two");
  assert.equal(resolvedIn([first, second], "t").origin, "plugin-two");
});

test("D11 A10 an empty container hides nothing", () => {
  const server = resolvedIn([containerOf("project", {}), containerOf("user", { s: { command: "a" } })], "s");

  assert.deepEqual(summary(server), ["s", "user", "resolved"]);
});

test("D11 A11 a disabled entry of a stronger source keeps the name off", () => {
  for (const off of [{ enabled: false }, { disabled: true }]) {
    const server = resolvedIn(
      [containerOf("user", { s: { command: "a" } }), containerOf("project", { s: { command: "a", ...off } })],
      "s",
    );

    assert.deepEqual(summary(server), ["s", "project", "disabled"]);
    assert.ok(server.status === "disabled");
    assert.equal(server.disabledBy, "entry");
  }
});

test("D11 names come sorted, each once", () => {
  const { servers } = resolveServers(
    [
      containerOf("user", { b: { command: "b" }, a: { command: "a" } }),
      containerOf("project", { c: { command: "c" }, a: { command: "a" } }),
    ],
    { environment },
  );

  assert.deepEqual(
    servers.map(({ name }) => name),
    ["a", "b", "c"],
  );
});

test("D12 an unreadable managed container blocks every name that a weaker source would give", () => {
  const { servers, sourceProblems } = resolveServers(
    [
      unreadable("managed"),
      containerOf("local", { a: { command: "a" } }),
      containerOf("plugin", { b: { command: 7 }, a: { command: "a" } }),
    ],
    { environment },
  );
  const cause = {
    kind: "source",
    reason: "invalid-syntax",
    line: 1,
    column: 2,
    source: "managed",
    origin: "/managed/broken.json",
  };

  assert.deepEqual(sourceProblems, [cause]);
  assert.deepEqual(
    servers.map((server) => (server.status === "unresolved" ? server.problem : server.status)),
    [
      { kind: "blocked", reason: "managed-unreadable", cause },
      { kind: "blocked", reason: "managed-unreadable", cause },
    ],
  );
});

test("D12 names of another readable managed container stay", () => {
  const { servers } = resolveServers(
    [
      unreadable("managed"),
      containerOf("managed", { a: { command: "a" } }),
      containerOf("user", { a: { command: "u" }, b: { command: "b" } }),
    ],
    { environment },
  );

  assert.deepEqual(servers.map(summary), [
    ["a", "managed", "resolved"],
    ["b", "user", "unresolved"],
  ]);
});

test("D12 every way of being unreadable as a whole blocks", () => {
  const values = [null, [], {}, { mcpServers: [] }, { mcpServers: null }];
  for (const value of values) {
    const managed: Container = { source: "managed", origin: "/m", value };
    assert.equal(
      resolvedIn([managed, containerOf("user", { a: { command: "a" } })], "a").status,
      "unresolved",
    );
  }
});

test("D12 one malformed entry of a managed container blocks nothing else", () => {
  const containers = [
    containerOf("managed", { bad: { command: 7 } }),
    containerOf("user", { a: { command: "a" } }),
  ];

  assert.equal(resolvedIn(containers, "a").status, "resolved");
  assert.equal(resolvedIn(containers, "bad").status, "unresolved");
});

test("D12 a source problem anywhere else is only reported", () => {
  for (const source of ["local", "project", "user", "plugin"] as const) {
    const containers = [unreadable(source), containerOf("plugin", { a: { command: "a" } }, "other")];
    const { servers, sourceProblems } = resolveServers(containers, { environment });

    assert.equal(sourceProblems.length, 1);
    assert.deepEqual(servers.map(summary), [["a", "plugin", "resolved"]]);
  }
});
