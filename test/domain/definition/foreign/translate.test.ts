import assert from "node:assert/strict";
import { test } from "node:test";

import type { Container } from "../../../../src/domain/definition/container.ts";
import { materialOf, type ServerDefinition } from "../../../../src/domain/definition/definition.ts";
import { SERVER_PLACES, type ConfigFormat } from "../../../../src/domain/definition/foreign/format.ts";
import { resolveServers } from "../../../../src/domain/definition/resolve.ts";
import type { ResolvedServer } from "../../../../src/domain/definition/resolution.ts";
import { environmentOf } from "../../../kit/definitions.ts";

const VARIABLES = { TOKEN: "t-canary", HOST: "a.example", EMPTY: "" };
const FOLDERS = { workspace: "/repo", home: "/home/me" };

function containerIn(format: ConfigFormat, servers: unknown): Container {
  const place = SERVER_PLACES[format].at(-1) ?? [];
  const value = place.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), servers);
  return { source: "project", origin: "/repo/file", value, format, folders: FOLDERS };
}

function resolved(format: ConfigFormat, entry: unknown): ResolvedServer {
  const { servers, sourceProblems } = resolveServers([containerIn(format, { s: entry })], {
    environment: environmentOf(VARIABLES),
  });
  assert.deepEqual(sourceProblems, []);
  assert.ok(servers[0]);
  return servers[0];
}

function definition(format: ConfigFormat, entry: unknown): ServerDefinition {
  const server = resolved(format, entry);
  assert.ok(server.status !== "unresolved", JSON.stringify(server));
  return server.definition;
}

function texts(map: ReadonlyMap<string, { readonly text: string }>): object {
  return Object.fromEntries([...map].map(([key, { text }]) => [key, text]));
}

/** What would be started or contacted, in plain values. */
function plain(found: ServerDefinition): object {
  const material = materialOf(found);
  const env = material.env.size > 0 ? { env: texts(material.env) } : {};
  if (material.transport === "stdio") {
    const cwd = material.cwd === undefined ? {} : { cwd: material.cwd.text };
    return { argv: [material.command.text, ...material.args.map(({ text }) => text)], ...cwd, ...env };
  }
  const headers = material.headers.size > 0 ? { headers: texts(material.headers) } : {};
  return { [material.transport]: material.url.text, ...headers, ...env };
}

type Row = readonly [name: string, format: ConfigFormat, entry: object, canonical: object];

/** Each pair has to come to the same fingerprint: what a host would start or contact is the same. */
const SAME: readonly Row[] = [
  ["Claude's own", "mcp", { command: "npx", args: ["x"] }, { command: "npx", args: ["x"] }],
  ["Cursor", "cursor", { url: "https://${env:HOST}/mcp" }, { url: "https://${HOST}/mcp" }],
  [
    "VS Code",
    "vscode",
    { type: "stdio", command: "${workspaceFolder}/s", args: ["${userHome}"], env: { T: "${env:TOKEN}" } },
    { command: "/repo/s", args: ["/home/me"], env: { T: "${TOKEN}" } },
  ],
  [
    "Gemini over HTTP",
    "gemini",
    {
      httpUrl: "https://a.example/mcp",
      headers: { A: "Bearer $TOKEN" },
      includeTools: ["a"],
      excludeTools: ["b"],
    },
    { url: "https://a.example/mcp", headers: { A: "Bearer ${TOKEN}" }, tools: { allow: ["a"], deny: ["b"] } },
  ],
  [
    "Gemini counts in milliseconds",
    "gemini",
    { command: "a", timeout: 30_000 },
    { command: "a", timeout: 30_000 },
  ],
  [
    "Windsurf",
    "windsurf",
    { serverUrl: "https://a.example/mcp", headers: { A: "${env:TOKEN}" }, disabledTools: ["x", "y*"] },
    { url: "https://a.example/mcp", headers: { A: "${TOKEN}" }, tools: { deny: ["x", "y*"] } },
  ],
  ["Cline counts in seconds", "cline", { command: "a", timeout: 60 }, { command: "a", timeout: 60_000 }],
  [
    "Cline's other word for the transport",
    "cline",
    { transportType: "stdio", command: "a" },
    { type: "stdio", command: "a" },
  ],
  [
    "Roo",
    "roo",
    { type: "streamable-http", url: "https://a.example/", timeout: 5, disabledTools: ["x"] },
    { type: "http", url: "https://a.example/", timeout: 5000, tools: { deny: ["x"] } },
  ],
  [
    "opencode, local",
    "opencode",
    { type: "local", command: ["npx", "-y", "x"], environment: { T: "{env:TOKEN}" }, enabled: true },
    { type: "stdio", command: "npx", args: ["-y", "x"], env: { T: "${TOKEN}" } },
  ],
  [
    "opencode, remote",
    "opencode",
    {
      type: "remote",
      url: "https://a.example/",
      oauth: { scope: "a b" },
      timeout: { startup: 1, request: 9000 },
    },
    { type: "http", url: "https://a.example/", oauth: { scopes: ["a", "b"] }, timeout: 9000 },
  ],
  [
    "opencode without OAuth",
    "opencode",
    { type: "remote", url: "https://a.example/", oauth: false },
    { url: "https://a.example/" },
  ],
  [
    "Codex, stdio",
    "codex",
    {
      command: "npx",
      args: ["x"],
      env: { A: "b" },
      env_vars: ["TOKEN", { name: "HOST" }],
      tool_timeout_sec: 1.5,
    },
    { command: "npx", args: ["x"], env: { A: "b", TOKEN: "${TOKEN}", HOST: "${HOST}" }, timeout: 1500 },
  ],
  [
    "Codex, HTTP",
    "codex",
    {
      url: "https://a.example/",
      http_headers: { "X-A": "1" },
      env_http_headers: { "X-B": "HOST" },
      bearer_token_env_var: "TOKEN",
      enabled_tools: ["a"],
      disabled_tools: ["b"],
    },
    {
      url: "https://a.example/",
      headers: { "X-A": "1", "X-B": "${HOST}", Authorization: "Bearer ${TOKEN}" },
      tools: { allow: ["a"], deny: ["b"] },
    },
  ],
  ["Zed", "zed", { source: "custom", command: "a", args: ["b"] }, { command: "a", args: ["b"] }],
  [
    "Zed's older command",
    "zed",
    { command: { path: "a", args: ["b"], env: { C: "d" } } },
    { command: "a", args: ["b"], env: { C: "d" } },
  ],
];

for (const [name, format, entry, canonical] of SAME) {
  test(`D1c ${name}: the entry means what its canonical form means`, () => {
    const translated = definition(format, entry);
    const ours = definition("mcp", canonical);

    assert.deepEqual(plain(translated), plain(ours));
    assert.equal(translated.fingerprint, ours.fingerprint);
  });
}

test("D1c what was translated is a note that names the fields as they are written", () => {
  const { notes } = definition("windsurf", { serverUrl: "https://${env:HOST}/", disabledTools: ["a"] });

  assert.deepEqual(notes, [
    { note: "translated", format: "windsurf", fields: ["serverUrl", "disabledTools"] },
    { note: "placeholder-translated", form: "${env:NAME}" },
    { note: "transport-inferred", transport: "http" },
  ]);
});

test("D1c what another host says about trust is reported as ignored, never obeyed", () => {
  const { notes, tools, disabled } = definition("cline", {
    type: "stdio",
    command: "a",
    autoApprove: ["*"],
    alwaysAllow: ["x"],
    trust: true,
  });

  assert.deepEqual(notes, [{ note: "ignored", keys: ["autoApprove", "alwaysAllow", "trust"] }]);
  assert.deepEqual([tools, disabled], [{ allow: undefined, deny: [] }, false]);
});

test("D1c C4 a file's switch that would approve its own servers is a warning and has no effect", () => {
  const value = { enableAllProjectMcpServers: true, mcpServers: { s: { command: "a" } } };
  const { sourceWarnings, servers } = resolveServers([{ source: "project", origin: "/p", value }], {
    environment: environmentOf(),
  });

  assert.deepEqual(sourceWarnings, [{ source: "project", origin: "/p", warning: "trust-ignored" }]);
  assert.equal(servers.length, 1);
});

test("D1c a secret keeps its provenance through the translation", () => {
  const found = definition("opencode", { type: "local", command: ["a", "--t={env:TOKEN}"] });
  const material = materialOf(found);

  assert.ok(material.transport === "stdio");
  assert.deepEqual(material.args[0]?.stretches, [{ start: 4, end: 12, variable: "TOKEN", secret: true }]);
});

test("D1c D8 a placeholder that cannot be translated leaves the server misconfigured", () => {
  const rows: readonly (readonly [ConfigFormat, string])[] = [
    ["vscode", "${input:key}"],
    ["cursor", "${workspaceFolderBasename}"],
    ["windsurf", "${workspaceFolder}"],
    ["mcp", "${env:TOKEN}"],
  ];
  for (const [format, text] of rows) {
    assert.equal(resolved(format, { command: "a", args: [text] }).status, "misconfigured", text);
  }
});

test("D1c a folder that nobody knows, or that reads like a template, stays a placeholder", () => {
  for (const folders of [{}, { workspace: "/odd/${TOKEN}" }]) {
    const container = { ...containerIn("vscode", { s: { command: "${workspaceFolder}/a" } }), folders };
    const { servers } = resolveServers([container], { environment: environmentOf(VARIABLES) });

    assert.equal(servers[0]?.status, "misconfigured");
  }
});

test("D1c an entry of opencode that another host disabled stays disabled", () => {
  assert.equal(resolved("opencode", { type: "local", command: ["a"], enabled: false }).status, "disabled");
});

test("D1c opencode's second version keeps its servers one level further in", () => {
  const mcp = { servers: { s: { type: "local", command: ["a"] } }, timeout: { request: 5 } };
  const { servers } = resolveServers([{ source: "user", origin: "/o", value: { mcp }, format: "opencode" }], {
    environment: environmentOf(),
  });

  assert.deepEqual(
    servers.map(({ name, status }) => [name, status]),
    [["s", "resolved"]],
  );
});

test("D1c a server of opencode may be called servers", () => {
  const value = { mcp: { servers: { type: "local", command: ["a"] } } };
  const { servers } = resolveServers([{ source: "user", origin: "/o", value, format: "opencode" }], {
    environment: environmentOf(),
  });

  assert.deepEqual(
    servers.map(({ name }) => name),
    ["servers"],
  );
});

type Refused = readonly [format: ConfigFormat, entry: unknown, reason: string, path: string];

const REFUSED: readonly Refused[] = [
  ["gemini", { httpUrl: "https://a.example/", url: "https://b.example/" }, "conflicting-fields", "httpUrl"],
  ["gemini", { command: "a", includeTools: ["a*"] }, "invalid-value", "includeTools"],
  ["codex", { command: "a", enabled_tools: ["b", "a?"] }, "invalid-value", "enabled_tools"],
  ["gemini", { command: "a", includeTools: ["a"], tools: {} }, "conflicting-fields", "includeTools"],
  ["gemini", { command: "a", excludeTools: [1] }, "invalid-type", "excludeTools[0]"],
  ["gemini", { httpUrl: 7 }, "invalid-type", "httpUrl"],
  ["windsurf", { serverUrl: "" }, "invalid-value", "serverUrl"],
  ["cline", { command: "a", timeout: "60" }, "invalid-type", "timeout"],
  ["cline", { transportType: "pigeon", command: "a" }, "unknown-transport", "transportType"],
  ["opencode", { type: "local", command: [] }, "invalid-value", "command"],
  ["opencode", { type: "local", command: ["a"], args: ["b"] }, "conflicting-fields", "args"],
  ["opencode", { type: "local", command: ["a"], environment: 1 }, "invalid-type", "environment"],
  [
    "opencode",
    { type: "remote", url: "https://a.example/", oauth: { clientSecret: "x" } },
    "secret-in-configuration",
    "oauth",
  ],
  ["codex", { command: "a", tool_timeout_sec: "9" }, "invalid-type", "tool_timeout_sec"],
  ["codex", { command: "a", tool_timeout_sec: 0 }, "out-of-range", "tool_timeout_sec"],
  ["codex", { command: "a", env_vars: "TOKEN" }, "invalid-type", "env_vars"],
  ["codex", { command: "a", env_vars: ["A-B"] }, "invalid-value", "env_vars[0]"],
  ["codex", { command: "a", env: { A: "1" }, env_vars: ["A"] }, "conflicting-fields", "env_vars"],
  ["codex", { command: "a", env: [], env_vars: ["A"] }, "invalid-type", "env"],
  [
    "codex",
    { url: "https://a.example/", bearer_token_env_var: "a b" },
    "invalid-value",
    "bearer_token_env_var",
  ],
  [
    "codex",
    { url: "https://a.example/", http_headers: { authorization: "x" }, bearer_token_env_var: "T" },
    "conflicting-fields",
    "bearer_token_env_var",
  ],
  ["codex", { url: "https://a.example/", env_http_headers: [] }, "invalid-type", "env_http_headers"],
  [
    "codex",
    { url: "https://a.example/", env_http_headers: { A: "${X}" } },
    "invalid-value",
    "env_http_headers",
  ],
  ["zed", { command: { path: "a", shell: true } }, "invalid-value", "command"],
  ["zed", { command: { path: "a", args: ["b"] }, args: ["c"] }, "conflicting-fields", "command.args"],
  ["zed", { command: { args: ["b"] } }, "missing-field", "type"],
];

for (const [format, entry, reason, path] of REFUSED) {
  test(`D1c ${format}: ${JSON.stringify(entry)} is refused at ${path} (${reason})`, () => {
    const server = resolved(format, entry);

    assert.ok(server.status === "unresolved" && server.problem.kind === "definition");
    assert.deepEqual([server.problem.reason, server.problem.path], [reason, path]);
  });
}

function isImplausible(timeout: number): boolean {
  const { notes } = definition("mcp", { type: "stdio", command: "a", timeout });
  return notes.some(({ note }) => note === "timeout-implausible");
}

test("D1c a timeout of another unit than was meant is noted", () => {
  const noted = [999, 1000, 3_600_000, 3_600_001].map((timeout) => isImplausible(timeout));

  assert.deepEqual(noted, [true, false, false, true]);
});

test("D1c a document of another host is named as what it looks like", () => {
  const rows: readonly (readonly [object, ConfigFormat | undefined])[] = [
    [{ servers: {} }, "vscode"],
    [{ mcp: {} }, "opencode"],
    [{ mcp_servers: {} }, "codex"],
    [{ context_servers: {} }, "zed"],
    [{ servers: [] }, undefined],
    [{ other: {} }, undefined],
  ];
  for (const [value, looksLike] of rows) {
    const { sourceProblems } = resolveServers([{ source: "user", origin: "/u", value }], {
      environment: environmentOf(),
    });

    assert.equal(sourceProblems[0]?.reason, "servers-missing");
    assert.equal(sourceProblems[0]?.looksLike, looksLike);
  }
});

/** What becomes of a Codex document in which the key at this path stood twice. */
function twice(path: readonly string[]): readonly unknown[] {
  const container = { ...containerIn("codex", { a: { command: "a" } }), duplicateKeys: [path] };
  const { servers, sourceProblems } = resolveServers([container], { environment: environmentOf() });
  return [servers[0]?.status, sourceProblems[0]?.reason];
}

test("D1c a key that stood twice refuses the entry, or the source, in every format", () => {
  assert.deepEqual(twice(["mcp_servers"]), [undefined, "servers-duplicated"]);
  assert.deepEqual(twice(["mcp_servers", "a"]), ["unresolved", undefined]);
  assert.deepEqual(twice(["mcp_servers", "a", "command"]), ["unresolved", undefined]);
  assert.deepEqual(twice(["other", "a"]), ["resolved", undefined]);
});

test("D1c no format throws, whatever stands in a field it translates", () => {
  const odd = [null, [], {}, "", 0, true, [[]], { path: {} }, "${", "{env:}", "$"];
  const keys =
    "command url serverUrl httpUrl timeout oauth environment env_vars bearer_token_env_var headers tools";
  for (const format of Object.keys(SERVER_PLACES) as ConfigFormat[]) {
    for (const key of [
      ...keys.split(" "),
      "env_http_headers",
      "includeTools",
      "transportType",
      "__proto__",
    ]) {
      for (const value of odd) {
        resolved(format, Object.fromEntries([[key, value]]));
        resolved(format, { command: "a", ...Object.fromEntries([[key, value]]) });
      }
    }
  }
});
