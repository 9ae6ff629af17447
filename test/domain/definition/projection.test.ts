import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { applyOverlay } from "../../../src/domain/definition/overlay.ts";
import { projectServer } from "../../../src/domain/definition/projection.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { materialOf, type ServerDefinition } from "../../../src/domain/definition/definition.ts";
import { coveredFields } from "../../../src/domain/definition/fingerprint.ts";
import { containerOf, definitionOf, environmentOf, resolvedIn } from "../../kit/definitions.ts";

function project(
  entry: unknown,
  variables: Readonly<Record<string, string>> = {},
): ReturnType<typeof projectServer> {
  return projectServer(resolvedIn([containerOf("project", { s: entry })], "s", variables));
}

function endpointOf(entry: unknown, variables: Readonly<Record<string, string>> = {}): string | undefined {
  return project(entry, variables).definition?.endpoint;
}

test("D16 a stdio server is projected with everything that changes authority", () => {
  const entry = {
    type: "stdio",
    command: "node",
    args: ["s.js", "${API_TOKEN}", "two words"],
    cwd: "/srv/${DIR}",
    env: { B: "canary", A_KEY: "canary" },
    timeout: 1_000,
    protocolVersion: "2026-07-28",
    skills: true,
    tools: { allow: ["read_*"], deny: ["rm"] },
    trust: true,
  };
  const { definition, ...rest } = project(entry, { API_TOKEN: "canary", DIR: "x" });

  assert.deepEqual(rest, {
    name: "s",
    source: "project",
    origin: "/project/mcp.json",
    status: "resolved",
    shadowed: [],
    unsetVariables: [],
    notes: [{ note: "ignored", text: "Not read by Sallyport, and without effect: `trust`." }],
  });
  assert.ok(definition);
  const { fingerprint, ...shown } = definition;
  assert.match(fingerprint, /^[0-9a-f]{64}$/);
  assert.deepEqual(shown, {
    transport: "stdio",
    endpoint: 'node s.js [redacted:API_TOKEN] "two words"',
    command: "node",
    args: ["s.js", "[redacted:API_TOKEN]", "two words"],
    cwd: "/srv/x",
    env: { A_KEY: "[redacted]", B: "[redacted]" },
    headers: {},
    timeoutMs: 1_000,
    protocolVersion: "2026-07-28",
    skills: true,
    tools: { allow: ["read_*"], deny: ["rm"] },
  });
});

test("D16 an http server is projected with its URL, header names and helper", () => {
  const { definition } = project({
    type: "http",
    url: "https://a.example/mcp",
    headers: { "x-plain": "canary", Authorization: "canary" },
    headersHelper: { command: "/bin/helper", args: ["--token", "canary", "x y"] },
  });

  assert.ok(definition);
  const { fingerprint: _, ...shown } = definition;
  assert.deepEqual(shown, {
    transport: "http",
    endpoint: "https://a.example/mcp",
    url: "https://a.example/mcp",
    headersHelper: '/bin/helper --token [redacted] "x y"',
    env: {},
    headers: { Authorization: "[redacted]", "x-plain": "[redacted]" },
    skills: false,
    tools: { deny: [] },
  });
});

test("D16 oauth settings are shown", () => {
  const oauth = { clientId: "app", callbackPort: 1, scopes: ["a"] };

  assert.deepEqual(project({ url: "https://a.example", oauth }).definition?.oauth, oauth);
});

test("D16 unset variables, shadowed sources and problems are shown", () => {
  const containers = [
    containerOf("project", { s: { command: "${X}" }, t: { command: 1 } }),
    containerOf("user", { s: { command: "a" } }),
  ];
  const s = projectServer(resolvedIn(containers, "s"));
  const t = projectServer(resolvedIn(containers, "t"));

  assert.deepEqual(s.unsetVariables, [{ variable: "X", path: "command" }]);
  assert.deepEqual(s.shadowed, [{ source: "user", origin: "/user/mcp.json" }]);
  assert.equal(s.status, "misconfigured");
  assert.equal(s.definition?.command, "${X}");
  assert.equal(t.definition, undefined);
  assert.deepEqual(t.problem, {
    kind: "definition",
    reason: "invalid-type",
    path: "command",
    text: "`command`: the value has the wrong type; expected the program to start.",
  });
});

test("D16 a disabled server says by what, and the overlay's reason", () => {
  const resolution = resolveServers(
    [containerOf("user", { a: { command: "a" }, b: { command: "b", disabled: true } })],
    {
      environment: environmentOf(),
    },
  );
  const applied = applyOverlay(resolution, { disabled: { a: "not\nnow" } });

  assert.ok(applied.ok);
  assert.deepEqual(
    applied.value.servers.map((server) => {
      const { disabledBy, disabledReason } = projectServer(server);
      return [disabledBy, disabledReason];
    }),
    [
      ["overlay", "not\\u{a}now"],
      ["entry", undefined],
    ],
  );
});

test("D16 a URL is readable with its secret stretches replaced", () => {
  assert.equal(
    endpointOf(
      { url: "https://${HOST}/mcp?project=1&key=${API_KEY}" },
      { HOST: "h.example", API_KEY: "canary" },
    ),
    "https://h.example/mcp?project=1&key=[redacted:API_KEY]",
  );
});

test("D16 known credential formats are masked in every readable field", () => {
  const { definition } = project({ command: "/bin/x?token=canary", cwd: "/y?token=canary" });
  const oauth = { clientId: "Bearer canary", callbackPort: 1 };

  assert.deepEqual(
    [definition?.command, definition?.cwd],
    ["/bin/x?token=[redacted]", "/y?token=[redacted]"],
  );
  assert.equal(project({ url: "https://a", oauth }).definition?.oauth?.clientId, "Bearer [redacted]");
});

test("D16 an argument cannot be made to look like two, or like none", () => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [["a b"], 'x "a b"'],
    [["a", "b"], "x a b"],
    [[""], 'x ""'],
    [['a"b'], 'x "a\\"b"'],
    [["a'b"], 'x "a\'b"'],
    [["C:\\a b\\"], 'x "C:\\\\a b\\\\"'],
    [["a\u00a0b"], "x a\\u{a0}b"],
    [["a\nb"], "x a\\u{a}b"],
  ];
  for (const [args, shown] of rows) assert.equal(endpointOf({ command: "x", args }), shown);
});

test("D16 hidden and look-alike characters of an endpoint are shown escaped", () => {
  assert.equal(endpointOf({ url: "https://\u0430.example/" }), "https://\\u{430}.example/");
  assert.equal(endpointOf({ command: "a\u202eb" }), "a\\u{202e}b");
});

test("D16 a bad name is shown escaped", () => {
  const server = resolvedIn([containerOf("user", { "a\u001b[2J": { command: "a" } })], "a\u001b[2J");

  assert.equal(projectServer(server).name, "a\\u{1b}[2J");
});

test("D16 a key __proto__ in env is shown like any other", () => {
  const entry: unknown = JSON.parse('{"command":"a","env":{"__proto__":"canary"}}');

  assert.deepEqual(Object.entries(project(entry).definition?.env ?? {}), [["__proto__", "[redacted]"]]);
});

const CANARY = "canary-0a1b2c3d";

/** Every place a secret can stand in. */
const SECRETIVE: readonly object[] = [
  {
    command: `c-\${MY_TOKEN}`,
    args: ["--password", CANARY, `--api-key=${CANARY}`, "${MY_TOKEN}", `Bearer ${CANARY}`],
    cwd: "/${MY_TOKEN}",
    env: { A: CANARY, B_KEY: CANARY, C: "${MY_TOKEN}" },
  },
  {
    url: `https://user:${CANARY}@a.example/\${MY_TOKEN}?token=${CANARY}`,
    headers: { A: CANARY, Authorization: CANARY, C: "${MY_TOKEN}" },
    env: { A: CANARY },
    headersHelper: { command: "/h", args: ["--token", CANARY] },
  },
];

test("D17 no secret reaches a printed, serialised, spread or inspected form of a definition", () => {
  for (const entry of SECRETIVE) {
    const containers = [containerOf("project", { s: entry })];
    const resolution = resolveServers(containers, { environment: environmentOf({ MY_TOKEN: CANARY }) });
    const server = resolvedIn(containers, "s", { MY_TOKEN: CANARY });
    assert.ok(server.status === "resolved");
    const { definition } = server;
    const shown = [
      resolution,
      server,
      definition,
      { ...definition },
      projectServer(server),
      coveredFields(definition),
    ];
    for (const form of shown) {
      assert.doesNotMatch(JSON.stringify(form), /canary/);
      assert.doesNotMatch(inspect(form, { depth: null, showHidden: true, getters: true }), /canary/);
    }
    assert.match(inspect(materialOf(definition), { depth: null }), /canary/, "the material holds it");
  }
});

test("D17 the material is only given for a definition that was decoded here", () => {
  const definition = definitionOf({ command: "a" });
  // A copy has every printable field and is still no definition.
  const copy = { ...definition } as ServerDefinition;

  assert.throws(() => materialOf(copy), TypeError);
  assert.ok(Object.isFrozen(definition));
});
