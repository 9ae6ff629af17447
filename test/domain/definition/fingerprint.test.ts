import assert from "node:assert/strict";
import { test } from "node:test";

import type { ServerDefinition } from "../../../src/domain/definition/definition.ts";
import { coveredFields } from "../../../src/domain/definition/fingerprint.ts";
import { definitionOf } from "../../kit/definitions.ts";

const STDIO = {
  type: "stdio",
  command: "node",
  args: ["s.js", "--port", "1"],
  cwd: "/srv",
  env: { LEVEL: "info" },
};
const HTTP = {
  type: "http",
  url: "https://a.example/mcp",
  headers: { "X-Region": "eu", Authorization: "Bearer ${TOKEN}" },
  oauth: { clientId: "app", callbackPort: 1, scopes: ["a"] },
};
const VARIABLES = { TOKEN: "canary-one", HOST: "a.example" };

function fingerprint(entry: object, variables: Readonly<Record<string, string>> = VARIABLES): string {
  return definitionOf(entry, { variables }).fingerprint;
}

test("D14 a fingerprint and a security identity are 64 hex digits", () => {
  const definition = definitionOf(STDIO);

  assert.match(definition.fingerprint, /^[0-9a-f]{64}$/);
  assert.match(definition.securityIdentity, /^[0-9a-f]{64}$/);
});

test("D14 the encoding does not change by accident, since approvals are bound to it", () => {
  assert.deepEqual(
    [fingerprint(STDIO), fingerprint(HTTP), definitionOf(STDIO).securityIdentity],
    [
      "1998c3d2c7ead894f3d99f0a187c5573e75b8bb2e9f221577c07a500423f5ef4",
      "260b9837a1231d2e221d20dc7841360de5e18593ce8ada0277ef013c9c4de4ae",
      "8b786e95ea2990d4cd17cab79fd13883425c8d9bdbce34c7e0d14262c4cacbce",
    ],
  );
});

test("D14 each change of what is started or contacted changes the fingerprint", () => {
  const base = { ...STDIO, timeout: 5, protocolVersion: "2026-07-28", tools: { allow: ["a"], deny: ["b"] } };
  const changes: readonly object[] = [
    { command: "nodejs" },
    { args: ["s.js", "1", "--port"] },
    { args: ["s.js", "--port", "1", ""] },
    { args: ["s.js", "--port1"] },
    { cwd: "/srv2" },
    { cwd: undefined },
    { env: { LEVEL: "debug" } },
    { env: { LEVEL: "info", NODE_OPTIONS: "--require=/x.js" } },
    { env: { level: "info" } },
    { env: {} },
    { timeout: 6 },
    { timeout: undefined },
    { skills: true },
    { tools: { allow: ["a"], deny: [] } },
    { tools: { deny: ["b"] } },
    { tools: { allow: [], deny: ["b"] } },
    { tools: { allow: ["b"], deny: ["a"] } },
    { protocolVersion: undefined },
  ];
  const seen = new Set([fingerprint(base)]);
  for (const change of changes) seen.add(fingerprint({ ...base, ...change }));

  assert.equal(seen.size, changes.length + 1);
});

test("D14 each change of an http definition changes the fingerprint", () => {
  const { oauth } = HTTP;
  const changes: readonly object[] = [
    { url: "https://b.example/mcp" },
    { url: "https://a.example/mcp/" },
    { type: "sse" },
    { type: "ws" },
    { headers: { ...HTTP.headers, "X-Region": "us" } },
    { headers: { Authorization: "Bearer ${TOKEN}" } },
    { headers: { ...HTTP.headers, Authorization: "Bearer ${OTHER:-x}" } },
    { headers: { ...HTTP.headers, "NODE-OPTIONS": "x" } },
    { env: { NODE_OPTIONS: "x" } },
    { oauth: undefined },
    { oauth: {} },
    { oauth: { ...oauth, clientId: "app2" } },
    { oauth: { ...oauth, callbackPort: 2 } },
    { oauth: { ...oauth, scopes: ["a", "b"] } },
    { oauth: { ...oauth, clientMetadataUrl: "https://app.example/c" } },
    { oauth: { ...oauth, authServerMetadataUrl: "https://as.example/c" } },
    { oauth: undefined, headersHelper: { command: "/bin/h" } },
    { oauth: undefined, headersHelper: { command: "/bin/h", args: ["x"] } },
  ];
  const seen = new Set([fingerprint(HTTP)]);
  for (const change of changes) seen.add(fingerprint({ ...HTTP, ...change }));

  assert.equal(seen.size, changes.length + 1);
});

test("D14 A7 a host that comes from a variable is covered with its value", () => {
  const entry = { url: "https://${HOST}/mcp" };

  assert.notEqual(fingerprint(entry, { HOST: "a.example" }), fingerprint(entry, { HOST: "b.example" }));
  assert.equal(fingerprint(entry, { HOST: "a.example" }), fingerprint({ url: "https://a.example/mcp" }));
});

test("D14 D15 a rotated credential does not change the fingerprint", () => {
  const entries: readonly object[] = [
    HTTP,
    { command: "a", args: ["--x=${API_TOKEN}"] },
    { command: "a", env: { API_KEY: "${ANYTHING}" } },
    { url: "https://a.example/mcp?key=${MY_SECRET}" },
  ];
  for (const entry of entries) {
    const of = (value: string): string =>
      fingerprint(entry, { TOKEN: value, API_TOKEN: value, ANYTHING: value, MY_SECRET: value });
    assert.equal(of("canary-one"), of("canary-two-of-another-length"));
    assert.equal(of("canary-one"), of(""));
  }
});

test("D14 D15 a literal under a credential-shaped key is not hashed", () => {
  const [one, two] = ["canary-one", "canary-two"].map((value) =>
    fingerprint({ command: "a", env: { API_KEY: value } }),
  );

  assert.equal(one, two);
  assert.notEqual(one, fingerprint({ command: "a" }));
});

test("D14 A2 the default of a credential-shaped variable is covered wherever it stands", () => {
  const entries: readonly ((fallback: string) => object)[] = [
    (fallback) => ({ command: `\${A_KEY:-${fallback}}` }),
    (fallback) => ({ command: "a", args: ["-e", `\${A_KEY:-${fallback}}`] }),
    (fallback) => ({ command: "a", cwd: `/\${A_KEY:-${fallback}}` }),
    (fallback) => ({ command: "a", env: { NODE_OPTIONS: `\${A_KEY:-${fallback}}` } }),
    (fallback) => ({ url: `https://\${A_KEY:-${fallback}}/mcp` }),
    (fallback) => ({ url: "https://a.example/mcp", headers: { "X-To": `\${A_KEY:-${fallback}}` } }),
  ];
  for (const entry of entries) {
    assert.notEqual(fingerprint(entry("one.example")), fingerprint(entry("two.example")));
    assert.notEqual(fingerprint(entry("one.example")), fingerprint(entry("one.example"), { A_KEY: "x" }));
  }
});

test("D14 D15 the default of a variable under a credential-shaped key is not hashed", () => {
  const [one, two] = ["canary-one", "canary-two"].map((fallback) =>
    fingerprint({ command: "a", env: { API_KEY: `\${API_TOKEN:-${fallback}}` } }),
  );

  assert.equal(one, two);
});

test("D14 X2 a variable that looks like a credential and names what is run is covered with its value", () => {
  for (const key of [
    "GIT_CONFIG_KEY_0",
    "CARGO_REGISTRY_CREDENTIAL_PROVIDER",
    "cargo_registries_a_credential_provider",
  ]) {
    const [one, other] = ["user.name", "core.fsmonitor"].map((value) =>
      fingerprint({ command: "a", env: { [key]: value } }),
    );
    assert.notEqual(one, other);
  }
});

test("D14 pointing a header at another variable changes the fingerprint", () => {
  const variables = { TOKEN_A: "same", TOKEN_B: "same" };
  const [one, other] = Object.keys(variables).map((variable) =>
    fingerprint({ url: "https://a", headers: { Authorization: `Bearer \${${variable}}` } }, variables),
  );

  assert.notEqual(one, other);
});

test("D14 a literal cannot pose as the marker of a secret", () => {
  const secret = { command: "a", args: ["${A_TOKEN}"] };
  for (const literal of ["s7:A_TOKEN", "A_TOKEN", "[redacted:A_TOKEN]", "k"]) {
    assert.notEqual(fingerprint(secret, { A_TOKEN: "x" }), fingerprint({ command: "a", args: [literal] }));
  }
});

test("D14 the order of keys, the notes, disabled, name, source and origin are not in the fingerprint", () => {
  const one = { type: "stdio", command: "a", env: { A: "1", B: "2" } };
  const other = { note: "x", disabled: true, env: { B: "2", A: "1" }, command: "a" };

  assert.equal(fingerprint(one), fingerprint(other));
  assert.equal(
    definitionOf(one, { name: "x", source: "user", origin: "/x" }).fingerprint,
    definitionOf(one, { name: "y", source: "managed", origin: "/y" }).fingerprint,
  );
});

test("D14 the security identity covers name, source and origin and nothing else", () => {
  const base = { name: "a", source: "user", origin: "/x" } as const;
  const identity = (options: typeof base | object, entry: object = STDIO): string =>
    definitionOf(entry, { ...base, ...options }).securityIdentity;

  const seen = new Set([
    identity({}),
    identity({ name: "b" }),
    identity({ source: "local" }),
    identity({ origin: "/y" }),
    identity({ name: "a/", origin: "x" }),
    identity({ origin: "/\ud800" }),
    identity({ origin: "/\ud801" }),
  ]);

  assert.equal(seen.size, 7);
  assert.equal(identity({}), identity({}, HTTP));
});

function rows(definition: ServerDefinition): readonly (readonly [string, string])[] {
  return coveredFields(definition).map(({ path, shown }) => [path, shown]);
}

test("D16 covered fields list everything that the fingerprint covers, as it may be shown", () => {
  const entry = {
    ...STDIO,
    args: ["--token", "canary-literal", "${API_TOKEN}"],
    env: { NODE_OPTIONS: "canary-env", A: "x" },
    timeout: 5,
    protocolVersion: "2026-07-28",
    skills: true,
    tools: { allow: ["a", "b"], deny: ["c"] },
  };

  assert.deepEqual(rows(definitionOf(entry, { variables: { API_TOKEN: "canary-variable" } })), [
    ["transport", "stdio"],
    ["command", "node"],
    ["args[0]", "--token"],
    ["args[1]", "[redacted]"],
    ["args[2]", "[redacted:API_TOKEN]"],
    ["cwd", "/srv"],
    ["env.A", "[redacted]"],
    ["env.NODE_OPTIONS", "[redacted]"],
    ["timeout", "5"],
    ["protocolVersion", "2026-07-28"],
    ["skills", "true"],
    ["tools.allow", "a b"],
    ["tools.deny", "c"],
  ]);
});

test("D16 covered fields of an http definition", () => {
  assert.deepEqual(rows(definitionOf(HTTP, { variables: VARIABLES })), [
    ["transport", "http"],
    ["url", "https://a.example/mcp"],
    ["headers.Authorization", "[redacted]"],
    ["headers.X-Region", "[redacted]"],
    ["oauth", "true"],
    ["oauth.clientId", "app"],
    ["oauth.callbackPort", "1"],
    ["oauth.scopes", "a"],
  ]);
});

function digests(entry: object, token: string): ReadonlyMap<string, string> {
  const fields = coveredFields(definitionOf(entry, { variables: { TOKEN: token } }));
  return new Map(fields.map(({ path, digest }) => [path, digest]));
}

test("D14 the digest of a covered field changes with its value and not with a rotated secret", () => {
  const before = digests(HTTP, "canary-one");
  const rotated = digests(HTTP, "canary-two");
  const moved = digests({ ...HTTP, url: "https://b.example/mcp" }, "canary-one");

  assert.deepEqual(before, rotated);
  assert.deepEqual(
    [...before].filter(([path, digest]) => moved.get(path) !== digest).map(([path]) => path),
    ["url"],
  );
  for (const digest of before.values()) assert.match(digest, /^[0-9a-f]{16}$/);
});
