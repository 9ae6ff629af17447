import assert from "node:assert/strict";
import { test } from "node:test";

import type {
  Container,
  SourceProblemReason,
  SourceWarning,
} from "../../../src/domain/definition/container.ts";
import type { DefinitionProblemReason } from "../../../src/domain/definition/problem.ts";
import {
  describeDefinitionNote,
  describeDefinitionRefusal,
  describeSourceWarning,
} from "../../../src/domain/definition/refusal-text.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { containerOf, definitionOf, environmentOf, manyKeys, resolvedIn } from "../../kit/definitions.ts";

/** An entry, or a container, that produces each reason: a new reason without one does not compile. */
const PRODUCERS: Readonly<Record<DefinitionProblemReason, Container>> = {
  "invalid-name": containerOf("user", { " ": { command: "a" } }),
  "duplicate-key": {
    ...containerOf("user", { " ": 1, s: { command: "a" } }),
    duplicateKeys: [["mcpServers", "s"]],
  },
  "not-object": containerOf("user", { s: "canary" }),
  "missing-field": containerOf("user", { s: {} }),
  "invalid-type": containerOf("user", { s: { command: ["canary"] } }),
  "invalid-value": containerOf("user", { s: { command: "canary\0" } }),
  "too-long": containerOf("user", { s: { command: "canary".repeat(9_999) } }),
  "too-many": containerOf("user", { s: { command: "a", env: manyKeys(999, "canary") } }),
  "out-of-range": containerOf("user", { s: { command: "a", timeout: 0 } }),
  "wrong-transport-field": containerOf("user", { s: { type: "stdio", command: "a", url: "canary" } }),
  "ambiguous-transport": containerOf("user", { s: { command: "canary", url: "canary" } }),
  "unknown-transport": containerOf("user", { s: { type: "canary" } }),
  "secret-in-configuration": containerOf("user", { s: { url: "a", oauth: { clientSecret: "canary" } } }),
  "template-not-allowed": containerOf("user", { s: { url: "a", headersHelper: { command: "/${canary}" } } }),
  "conflicting-fields": containerOf("user", { s: { command: "a", skills: true } }),
};

function textOf(container: Container, reason: string): string {
  const { servers } = resolveServers([container], { environment: environmentOf() });
  const server = servers.find((one) => one.status === "unresolved" && one.problem.reason === reason);
  assert.ok(server?.status === "unresolved", `nothing produced ${reason}`);
  return describeDefinitionRefusal(server.problem);
}

test("D3 every reason of a definition problem is produced and has a sentence without the value", () => {
  for (const [reason, container] of Object.entries(PRODUCERS)) {
    const text = textOf(container, reason);
    assert.match(text, /; expected .*\.$/, reason);
    assert.doesNotMatch(text, /canary/, reason);
  }
});

/** What produces each reason: a value, or what the reader of files reports. */
const SOURCE_PRODUCERS: Readonly<Record<SourceProblemReason, Container>> = {
  "unreadable-file": reported("unreadable-file"),
  "file-too-large": reported("file-too-large"),
  "not-utf8": reported("not-utf8"),
  "invalid-syntax": reported("invalid-syntax"),
  "nested-too-deep": reported("nested-too-deep"),
  "root-not-object": { source: "user", origin: "/user/mcp.json", value: [] },
  "servers-missing": { source: "user", origin: "/user/mcp.json", value: {} },
  "servers-not-object": containerOf("user", []),
  "servers-duplicated": { ...containerOf("user", {}), duplicateKeys: [["mcpServers"]] },
  "too-many-servers": containerOf("user", manyKeys(10_001, {})),
};

function reported(reason: SourceProblemReason): Container {
  return { source: "user", origin: "/user/mcp.json", problem: { reason } };
}

test("D1 every reason of a source problem is produced and has a sentence with the origin", () => {
  for (const [reason, container] of Object.entries(SOURCE_PRODUCERS)) {
    const { sourceProblems } = resolveServers([container], { environment: environmentOf() });
    assert.deepEqual(
      sourceProblems.map((problem) => problem.reason),
      [reason],
    );
    assert.ok(sourceProblems[0]);
    assert.match(describeDefinitionRefusal(sourceProblems[0]), /^\/user\/mcp\.json [a-z].*\.$/);
  }
});

test("D1b a syntax error's sentence says line and column", () => {
  const text = describeDefinitionRefusal({
    kind: "source",
    reason: "invalid-syntax",
    source: "user",
    origin: "/u\u202e.json",
    line: 3,
    column: 9,
  });

  assert.equal(text, "/u\\u{202e}.json has a syntax error (line 3, column 9).");
});

test("D12 a blocked name's sentence says which managed source has to be mended", () => {
  const managed: Container = { source: "managed", origin: "/etc/m.json", problem: { reason: "not-utf8" } };
  const server = resolvedIn([managed, containerOf("user", { s: { command: "a" } })], "s");

  assert.ok(server.status === "unresolved");
  assert.equal(
    describeDefinitionRefusal(server.problem),
    "Blocked until the managed configuration can be read: /etc/m.json is not UTF-8 text: save it as UTF-8.",
  );
});

test("D13 an overlay over nothing says that no server is configured", () => {
  const refusal = { kind: "overlay", reason: "unknown-server", name: "a\n", knownNames: [] } as const;

  assert.equal(
    describeDefinitionRefusal(refusal),
    'There is no server "a\\u{a}" to disable; no server is configured.',
  );
});

test("D1b every warning has a sentence", () => {
  const warnings: Readonly<Record<SourceWarning["warning"], string>> = {
    "empty-file": "/u is empty.",
    "byte-order-mark": "/u begins with a byte order mark.",
    comments: "/u has comments, which other programs may not accept.",
    "trailing-commas": "/u has trailing commas, which other programs may not accept.",
    "trust-ignored": "/u has a switch that would approve its own servers; it has no effect here.",
  };
  const words = ["empty-file", "byte-order-mark", "comments", "trailing-commas", "trust-ignored"] as const;
  for (const warning of words) {
    assert.equal(describeSourceWarning({ source: "user", origin: "/u", warning }), warnings[warning]);
  }
});

test("D3 D8 every note has a sentence, with hidden characters escaped", () => {
  const entry = { type: "streamable-http", url: "https://${env:X}", env: { A: "b" }, "a\u202eb": 1 };
  const inferred = definitionOf({ command: "a" });

  assert.deepEqual(
    [...definitionOf(entry).notes, ...inferred.notes].map((note) => describeDefinitionNote(note)),
    [
      '`type` "streamable-http" is read as http.',
      "`env` has no effect on a server that is not started here.",
      "`url` holds a ${env:NAME} placeholder, which is not expanded here.",
      "Not read by Sallyport, and without effect: `a\\u{202e}b`.",
      "No `type` is given; read as stdio.",
    ],
  );
});

test("D1c every note of a translation has a sentence", () => {
  const entry = { serverUrl: "https://${env:X}/", timeout: 30 };
  const container = {
    source: "user",
    origin: "/u",
    value: { mcpServers: { s: entry } },
    format: "windsurf",
  } as const;
  const [server] = resolveServers([container], { environment: environmentOf({ X: "a.example" }) }).servers;

  assert.ok(server?.status === "resolved");
  assert.deepEqual(
    server.definition.notes.map((note) => describeDefinitionNote(note)),
    [
      "Translated from the format of windsurf: `serverUrl`.",
      "${env:NAME} placeholders are read as another host means them.",
      "No `type` is given; read as http.",
      "A `timeout` of 30 ms is unusual; the unit is milliseconds here.",
    ],
  );
});

test("D1c a document that looks like another host's says how to name it", () => {
  const [problem] = resolveServers([{ source: "user", origin: "/u", value: { servers: {} } }], {
    environment: environmentOf(),
  }).sourceProblems;

  assert.ok(problem);
  assert.equal(
    describeDefinitionRefusal(problem),
    "/u has no servers where its format keeps them (`mcpServers`, unless another format was named); it looks like a file of vscode: name it with --config SOURCE+vscode:FILE.",
  );
});
