import assert from "node:assert/strict";
import { test } from "node:test";

import { applyOverlay } from "../../../src/domain/definition/overlay.ts";
import { describeDefinitionRefusal } from "../../../src/domain/definition/refusal-text.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import { containerOf, environmentOf } from "../../kit/definitions.ts";

const RESOLUTION = resolveServers(
  [
    containerOf("user", {
      good: { command: "a" },
      off: { command: "a", disabled: true },
      broken: { command: 1 },
      unset: { command: "${X}" },
      __proto: { command: "a" },
    }),
  ],
  { environment: environmentOf() },
);

test("D13 an overlay disables a server with its reason, and clearing it restores the same entry", () => {
  const applied = applyOverlay(RESOLUTION, { disabled: { good: "not today", unset: "later" } });
  const cleared = applyOverlay(RESOLUTION, { disabled: {} });

  assert.ok(applied.ok && cleared.ok);
  assert.deepEqual(
    applied.value.servers.map((server) => [
      server.name,
      server.status,
      server.status === "disabled" ? server.disabledReason : undefined,
    ]),
    [
      ["__proto", "resolved", undefined],
      ["broken", "unresolved", undefined],
      ["good", "disabled", "not today"],
      ["off", "disabled", undefined],
      ["unset", "disabled", "later"],
    ],
  );
  assert.deepEqual(cleared.value, RESOLUTION);
  assert.equal(cleared.value.servers[2], RESOLUTION.servers[2]);
});

test("D13 what is unresolved or disabled by its entry stays what it is", () => {
  const applied = applyOverlay(RESOLUTION, { disabled: { broken: "x", off: "x" } });

  assert.ok(applied.ok);
  assert.deepEqual(applied.value, RESOLUTION);
});

test("D13 a name that does not exist is refused, and the message lists the known names", () => {
  const applied = applyOverlay(RESOLUTION, { disabled: { good: "x", goood: "x" } });

  assert.ok(!applied.ok);
  assert.deepEqual(applied.refusal, {
    kind: "overlay",
    reason: "unknown-server",
    name: "goood",
    knownNames: ["__proto", "broken", "good", "off", "unset"],
  });
  assert.equal(
    describeDefinitionRefusal(applied.refusal),
    'There is no server "goood" to disable; the servers are: __proto, broken, good, off, unset.',
  );
});

test("D13 prototype names in an overlay are names like any other", () => {
  for (const name of ["constructor", "toString"]) {
    assert.equal(applyOverlay(RESOLUTION, { disabled: { [name]: "x" } }).ok, false);
  }
});
