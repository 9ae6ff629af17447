import assert from "node:assert/strict";
import { test } from "node:test";

import { materialOf, type MaterialisedText } from "../../../src/domain/definition/definition.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { containerOf, definitionOf, problemOf, resolvedIn } from "../../kit/definitions.ts";

function expand(text: string, variables: Readonly<Record<string, string>> = {}): MaterialisedText {
  const material = materialOf(definitionOf({ command: "a", args: [text] }, { variables }));
  assert.equal(material.transport, "stdio");
  assert.ok(material.transport === "stdio" && material.args[0]);
  return material.args[0];
}

test("D8 a variable or its default is put in, once", () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ["${A}", { A: "x" }, "x"],
    ["-${A}-${B}-", { A: "x", B: "y" }, "-x-y-"],
    ["${A:-d}", {}, "d"],
    ["${A:-d}", { A: "x" }, "x"],
    ["${A:-}", {}, ""],
    ["${A:-a:-b}", {}, "a:-b"],
    ["${A:-d}", { A: "" }, ""],
    ["${A}", { A: "" }, ""],
    ["${_a9}", { _a9: "x" }, "x"],
    ["${A}${A}", { A: "x" }, "xx"],
    ["$${A}", { A: "x" }, "$x"],
    ["${ ${A}", { A: "x" }, "${ x"],
  ];
  for (const [text, variables, expected] of rows) assert.equal(expand(text, variables).text, expected, text);
});

test("D8 what a variable produced is never scanned again", () => {
  assert.equal(expand("${A}", { A: "${B}", B: "canary" }).text, "${B}");
  assert.equal(expand("${A}${B}}", { A: "${", B: "C", C: "canary" }).text, "${C}");
});

test("D8 a default runs to the next brace, so that a nested one is not expanded but named", () => {
  const entry = { command: "a", args: ["${A:-${B}}"] };
  const definition = definitionOf(entry, { variables: { B: "canary" } });

  assert.equal(expand("${A:-${B}}", { B: "canary" }).text, "${B}");
  assert.deepEqual(definition.unsetVariables, [{ variable: "A", path: "args[0]" }]);
  assert.deepEqual(definition.notes.at(-1), {
    note: "foreign-placeholder",
    path: "args[0]",
    form: "${NAME:-${...}}",
  });
});

test("D8 every template field expands, on both transports", () => {
  const variables = { V: "x" };
  const stdio = materialOf(
    definitionOf({ command: "c-${V}", args: ["a-${V}"], cwd: "/${V}", env: { E: "e-${V}" } }, { variables }),
  );
  const http = materialOf(
    definitionOf(
      { url: "https://${V}.example", headers: { H: "h-${V}" }, env: { E: "e-${V}" } },
      { variables },
    ),
  );

  assert.ok(stdio.transport === "stdio" && http.transport !== "stdio");
  assert.deepEqual(
    [stdio.command.text, stdio.args[0]?.text, stdio.cwd?.text, stdio.env.get("E")?.text],
    ["c-x", "a-x", "/x", "e-x"],
  );
  assert.deepEqual(
    [http.url.text, http.headers.get("H")?.text, http.env.get("E")?.text],
    ["https://x.example", "h-x", "e-x"],
  );
});

test("D8 A2 every source expands alike", () => {
  const entry = { url: "https://a.example", headers: { Authorization: "Bearer ${T}" } };
  for (const source of ["managed", "local", "project", "user", "plugin"] as const) {
    const server = resolvedIn([containerOf(source, { s: entry })], "s", { T: "abc" });
    assert.equal(server.status, "resolved");
    assert.ok(server.status === "resolved");
    const material = materialOf(server.definition);
    assert.ok(material.transport !== "stdio");
    assert.equal(material.headers.get("Authorization")?.text, "Bearer abc");
  }
});

test("D8 A1 an unset variable leaves the literal, is listed with its path, and makes the server misconfigured", () => {
  const entry = {
    command: "node",
    args: ["s.js", "${B}"],
    env: { TOK: "${TOK}", HOME_DIR: "${HOME_DIR:-/x}" },
  };
  const server = resolvedIn([containerOf("project", { s: entry })], "s");

  assert.equal(server.status, "misconfigured");
  assert.ok(server.status === "misconfigured");
  assert.deepEqual(server.definition.unsetVariables, [
    { variable: "B", path: "args[1]" },
    { variable: "TOK", path: "env.TOK" },
  ]);
  const material = materialOf(server.definition);
  assert.equal(material.env.get("TOK")?.text, "${TOK}");
});

test("D8 A5 a variable that refers to itself takes the environment's value", () => {
  const server = resolvedIn([containerOf("project", { s: { command: "a", env: { E: "${E}" } } })], "s", {
    E: "https://a.example",
  });

  assert.ok(server.status === "resolved");
  assert.equal(materialOf(server.definition).env.get("E")?.text, "https://a.example");
});

test("D8 nothing is expanded in keys, names, type, tools or other fields", () => {
  const asked: string[] = [];
  const entry = {
    command: "a",
    env: { "${K}": "v" },
    tools: { allow: ["${T}"] },
    note: "${N}",
  };
  const { servers } = resolveServers([containerOf("user", { "${S}": entry })], {
    environment: (name) => {
      asked.push(name);
      return "x";
    },
  });

  assert.deepEqual(asked, []);
  assert.ok(servers[0]?.status === "resolved");
  assert.equal(servers[0].name, "${S}");
  assert.deepEqual([...materialOf(servers[0].definition).env.keys()], ["${K}"]);
  assert.deepEqual(servers[0].definition.tools.allow, ["${T}"]);
});

test("D8 the environment is asked only for names that occur, once each, and not for shadowed entries", () => {
  const asked: string[] = [];
  resolveServers(
    [
      containerOf("local", { s: { command: "${A}", args: ["${A}", "${B:-d}"] }, t: { command: "${A}" } }),
      containerOf("user", { s: { command: "${SHADOWED}" } }),
    ],
    {
      environment: (name) => {
        asked.push(name);
        return undefined;
      },
    },
  );

  assert.deepEqual(asked, ["A", "B"]);
});

test("D8 A4 placeholders of other hosts are named in a diagnostic", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["${env:X}", "${env:NAME}"],
    ["a-${input:x}", "${input:id}"],
    ["${/}", "${...}"],
    ["${X:?unset}", "${...}"],
    ["$X", "$NAME"],
    ["mysql://$USER@localhost/db", "$NAME"],
    ["%APPDATA%\\x", "%NAME%"],
    ["{file:./x}", "{file:path}"],
    ["{env:X}", "{env:NAME}"],
    ["~/x", "~/"],
    ["~", "~/"],
  ];
  for (const [text, form] of rows) {
    const { notes } = definitionOf({ type: "stdio", command: "a", args: ["ok", text] });
    assert.deepEqual(notes, [{ note: "foreign-placeholder", path: "args[1]", form }], text);
  }
});

test("D8 A4 a ${…} form of another host makes the server misconfigured, workspaceFolder included", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["${workspaceFolder}", "workspaceFolder"],
    ["${env:X}", "env:X"],
    ["${input:my-key}", "input:my-key"],
    ["${a b}", "${...}"],
  ];
  for (const [text, variable] of rows) {
    const server = resolvedIn([containerOf("user", { s: { command: "a", env: { W: text } } })], "s", {
      X: "x",
    });
    assert.ok(server.status === "misconfigured", text);
    assert.deepEqual(server.definition.unsetVariables, [{ variable, path: "env.W" }]);
    assert.equal(materialOf(server.definition).env.get("W")?.text, text);
  }
});

test("D8 A8 a bare $NAME stays as it is and stops nothing", () => {
  const server = resolvedIn(
    [containerOf("user", { s: { command: "a", env: { DB: "mysql://$USER@h/db" } } })],
    "s",
    {
      USER: "canary",
    },
  );

  assert.ok(server.status === "resolved");
  assert.equal(materialOf(server.definition).env.get("DB")?.text, "mysql://$USER@h/db");
});

test("D8 text that only resembles a placeholder gets no diagnostic", () => {
  for (const text of ["100%", "a%20b%20c", "$", "$1", "cost: 5$", "a~/b", "{}", "{file}", "x${", "#{A}"]) {
    const { notes, unsetVariables } = definitionOf({ type: "stdio", command: "a", args: [text] });
    assert.deepEqual([notes, unsetVariables], [[], []], text);
  }
  const { notes } = definitionOf({ type: "http", url: "https://a.example/%E2%82%AC/%AB%CD" });
  assert.deepEqual(notes, []);
});

test("D9 each stretch says where a variable's text is and whether it is secret", () => {
  const variables = { HOST: "h.example", A_TOKEN: "none" };
  const { text, stretches } = expand("-${HOST}:${A_TOKEN}/${B_TOKEN:-written}", variables);

  assert.equal(text, "-h.example:none/written");
  assert.deepEqual(stretches, [
    { start: 1, end: 10, variable: "HOST", secret: false },
    { start: 11, end: 15, variable: "A_TOKEN", secret: true },
    // A default is what the file says, not what the variable holds.
    { start: 16, end: 23, variable: "B_TOKEN", secret: false },
  ]);
});

test("D9 an empty value is a stretch too", () => {
  assert.deepEqual(expand("a${T}b", { T: "" }).stretches, [
    { start: 1, end: 1, variable: "T", secret: false },
  ]);
});

test("D10 every value under a credential-shaped key is secret, literals too", () => {
  const entry = { url: "https://a.example", headers: { Authorization: "Bearer ${NAME}!", Plain: "x" } };
  const material = materialOf(definitionOf(entry, { variables: { NAME: "abc" } }));

  assert.ok(material.transport !== "stdio");
  assert.deepEqual(material.headers.get("Authorization"), {
    text: "Bearer abc!",
    stretches: [
      { start: 0, end: 7, variable: undefined, secret: true },
      { start: 7, end: 10, variable: "NAME", secret: true },
      { start: 10, end: 11, variable: undefined, secret: true },
    ],
  });
  assert.deepEqual(material.headers.get("Plain"), { text: "x", stretches: [] });
});

test("D5 a bound holds after expansion too, and a variable brings in no NUL", () => {
  const variables = { BIG: "b".repeat(16_384), NUL: "a\0b", SURROGATE: "\ud800" };
  assert.equal(expand("${BIG}", variables).text.length, 16_384);
  assert.equal(problemOf({ command: "a", args: ["x${BIG}"] }, { variables }).reason, "too-long");
  assert.equal(problemOf({ command: "a", args: ["${NUL}"] }, { variables }).reason, "invalid-value");
  assert.equal(problemOf({ command: "a", args: ["${SURROGATE}"] }, { variables }).reason, "invalid-value");
  assert.equal(problemOf({ command: "${NONE:-}" }).reason, "invalid-value");
});

test("D8 thousands of placeholders of a large variable are refused without building the text", () => {
  const variables = { B: "b".repeat(1_000_000) };
  const problem = problemOf({ command: "a", args: ["${B}".repeat(4_000)] }, { variables });

  assert.equal(problem.reason, "too-long");
});
