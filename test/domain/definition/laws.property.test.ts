import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import * as fc from "fast-check";

import { decodeEntry } from "../../../src/domain/definition/decode.ts";
import { DEFINITION_SOURCES, materialOf } from "../../../src/domain/definition/definition.ts";
import { coveredFields } from "../../../src/domain/definition/fingerprint.ts";
import { createSecretMask } from "../../../src/domain/definition/known-secrets.ts";
import { applyOverlay } from "../../../src/domain/definition/overlay.ts";
import { projectServer } from "../../../src/domain/definition/projection.ts";
import { describeDefinitionRefusal } from "../../../src/domain/definition/refusal-text.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { parseTemplate } from "../../../src/domain/definition/template.ts";
import { containerOf, definitionOf, environmentOf } from "../../kit/definitions.ts";

const environment = environmentOf({ A: "a", TOKEN: "canary" });

const field = fc.constantFrom(
  "type",
  "command",
  "args",
  "cwd",
  "env",
  "url",
  "headers",
  "oauth",
  "headersHelper",
  "timeout",
  "protocolVersion",
  "skills",
  "disabled",
  "enabled",
  "tools",
  "__proto__",
  "clientId",
  "scopes",
);

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("stdio", "http", "${A}", "${B}", "${TOKEN:-x}", "https://a.example", "2026-07-28", "/x"),
);

/** Any JSON value, leaning towards what an entry has. */
const { entry } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.jsonValue(), fc.integer(), tie("list"), tie("entry")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  entry: fc.dictionary(fc.oneof(field, fc.string()), tie("value"), { maxKeys: 6 }),
}));

test("D3 decoding never throws, and gives a definition or one problem", () => {
  fc.assert(
    fc.property(fc.oneof(entry, fc.jsonValue()), text, (value, name) => {
      const decoded = decodeEntry({ name, source: "project", origin: "/p", value }, { environment });
      if (decoded.ok) return /^[0-9a-f]{64}$/.test(decoded.value.fingerprint);
      return describeDefinitionRefusal(decoded.refusal).length > 0;
    }),
    { numRuns: 1_500 },
  );
});

test("D1 resolving never throws, whatever the documents are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...DEFINITION_SOURCES), fc.oneof(fc.jsonValue(), entry))),
      (documents) => {
        const containers = documents.map(([source, value]) => ({ source, origin: "/x", value }));
        const { servers, sourceProblems } = resolveServers(containers, { environment });
        for (const server of servers) projectServer(server);
        return sourceProblems.length <= containers.length;
      },
    ),
    { numRuns: 300 },
  );
});

const simpleEntry = fc.oneof(
  fc.record({ command: fc.constantFrom("a", "b") }),
  fc.record({ command: fc.constant("a"), disabled: fc.boolean() }),
  fc.constant(null),
  fc.record({ command: fc.constant("${UNSET}") }),
);
const servers = fc.dictionary(fc.constantFrom("s", "t", "u", "v"), simpleEntry);

test("D11 precedence ignores the order of reading across different sources", () => {
  const oneEach = fc.record(Object.fromEntries(DEFINITION_SOURCES.map((source) => [source, servers])));
  fc.assert(
    fc.property(
      oneEach,
      fc.shuffledSubarray([...DEFINITION_SOURCES], { minLength: 5 }),
      (bySource, order) => {
        const inOrder = DEFINITION_SOURCES.map((source) => containerOf(source, bySource[source]));
        const shuffled = order.map((source) => containerOf(source, bySource[source]));
        assert.deepEqual(resolveServers(shuffled, { environment }), resolveServers(inOrder, { environment }));
      },
    ),
    { numRuns: 200 },
  );
});

test("D13 an overlay only narrows", () => {
  const overlay = fc.dictionary(fc.constantFrom("s", "t", "u", "v"), fc.string());
  fc.assert(
    fc.property(servers, overlay, (entries, disabled) => {
      const before = resolveServers([containerOf("user", entries)], { environment });
      const after = applyOverlay(before, { disabled });
      if (!after.ok) return !before.servers.some(({ name }) => name === after.refusal.name);
      return after.value.servers.every((server, index) => {
        const was = before.servers[index];
        // Either nothing changed, or what could have run is off now.
        return server === was || (server.status === "disabled" && was?.status !== "disabled");
      });
    }),
    { numRuns: 300 },
  );
});

test("D8 a text without $ is unchanged, and pieces of a template make up the whole text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "A", ":", "-", " ", "9") }), (written) => {
      const pieces = parseTemplate(written);
      assert.equal(
        pieces.map((piece) => (piece.kind === "literal" ? piece.text : piece.written)).join(""),
        written,
      );
    }),
    { numRuns: 2_000 },
  );
  const plain = fc.string({ unit: "grapheme-ascii", maxLength: 60 }).filter((one) => !one.includes("$"));
  fc.assert(
    fc.property(plain, (arg) => {
      const material = materialOf(definitionOf({ command: "a", args: [arg] }));
      assert.ok(material.transport === "stdio");
      assert.deepEqual(material.args, [{ text: arg, stretches: [] }]);
    }),
    { numRuns: 300 },
  );
});

interface StdioEntry {
  readonly type: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly tools?: { readonly deny: readonly string[] };
}

function entriesOf(pieces: readonly string[], envKeys: readonly string[]): fc.Arbitrary<StdioEntry> {
  const word = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 5 });
  return fc.record(
    {
      type: fc.constant("stdio"),
      command: word.map((one) => `c${one}`),
      args: fc.array(word, { maxLength: 3 }),
      cwd: word.map((one) => `/${one}`),
      env: fc.dictionary(fc.constantFrom(...envKeys), word),
      timeout: fc.integer({ min: 1, max: 3 }),
      tools: fc.record({ deny: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }) }),
    },
    { requiredKeys: ["type", "command"] },
  );
}

const plainEntry = entriesOf(["a", "b", " ", "${PLAIN}"], ["X", "Y", "NODE_OPTIONS"]);
const secretiveEntry = entriesOf(["a", "/", "${PLAIN}", "${A_TOKEN}"], ["X", "B_KEY", "C_TOKEN"]);

/** Everything that an entry without secrets makes start, written down independently of the encoding. */
function startedBy({ command, args = [], cwd, env = {}, timeout, tools }: StdioEntry): string {
  const sorted = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([command, args, cwd, sorted, timeout, tools?.deny ?? []]).replaceAll(
    "${PLAIN}",
    "plain",
  );
}

test("D14 two fingerprints are equal exactly when the same would be started", () => {
  const variables = { PLAIN: "plain" };
  const fieldToChange = fc.constantFrom("command", "args", "cwd", "env", "timeout", "tools");
  fc.assert(
    fc.property(plainEntry, plainEntry, fieldToChange, (one, other, key) => {
      const changed = { ...one, ...(Object.hasOwn(other, key) && { [key]: other[key] }) };
      for (const candidate of [other, changed]) {
        const [a, b] = [one, candidate].map((value) => definitionOf(value, { variables }).fingerprint);
        assert.equal(a === b, startedBy(one) === startedBy(candidate));
      }
    }),
    { numRuns: 500 },
  );
});

test("D14 D15 rotating secrets never changes a fingerprint or a covered field", () => {
  fc.assert(
    fc.property(secretiveEntry, fc.string(), (value, rotated) => {
      const secret = rotated.replaceAll("\0", "");
      const [a, b] = ["canary", secret].map((token) =>
        definitionOf(value, { variables: { PLAIN: "plain", A_TOKEN: token } }),
      );
      assert.ok(a && b);
      assert.equal(a.fingerprint, b.fingerprint);
      assert.deepEqual(coveredFields(a), coveredFields(b));
    }),
    { numRuns: 300 },
  );
});

test("D17 no secret is in any printed form, wherever it stands", () => {
  const canary = "C4n4ry-9f8e7d6c";
  fc.assert(
    fc.property(secretiveEntry, (value) => {
      const variables = { PLAIN: "plain", A_TOKEN: canary };
      const resolution = resolveServers([containerOf("user", { s: value })], {
        environment: environmentOf(variables),
      });
      const [server] = resolution.servers;
      assert.ok(server && server.status !== "unresolved");
      for (const form of [resolution, projectServer(server), coveredFields(server.definition)]) {
        assert.ok(!JSON.stringify(form).includes(canary));
        assert.ok(!inspect(form, { depth: null, showHidden: true }).includes(canary));
      }
    }),
    { numRuns: 200 },
  );
});

test("X5 masking leaves no known secret of 8 or more characters", () => {
  const piece = fc.string({
    unit: fc.constantFrom("x", "y", "%", " ", '"', "é"),
    minLength: 8,
    maxLength: 14,
  });
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.array(fc.string({ unit: fc.constantFrom("x", "y", "z") })),
      (secrets, fill) => {
        const mixed = secrets
          .map((secret, index) => `${fill[index] ?? ""}${secret}${secret.slice(3)}`)
          .join("z");
        const masked = createSecretMask(secrets)(mixed);
        return secrets.every((secret) => !masked.includes(secret));
      },
    ),
    { numRuns: 1_000 },
  );
});
