import assert from "node:assert/strict";
import { test } from "node:test";

import { compatibilityDiagnostics } from "../../../src/domain/session/diagnostics.ts";

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";

function diagnose(
  protocolVersion: string,
  capabilities: Readonly<Record<string, unknown>>,
  asked: Partial<Parameters<typeof compatibilityDiagnostics>[1]> = {},
) {
  return compatibilityDiagnostics(
    { protocolVersion, capabilities: new Map(Object.entries(capabilities)) },
    { selection: "legacy", elicitation: false, ...asked },
  );
}

const SKILLS = { resources: {}, extensions: { "io.modelcontextprotocol/skills": {}, other: {} } };

test("S1 C6 skills that were asked for and are there need no diagnostic, and are not unselected", () => {
  const asked = { elicitation: true, skills: true };

  assert.deepEqual(diagnose(MODERN, SKILLS, asked), [{ code: "extension-unselected", subject: "other" }]);
});

test("S1 C6 skills that were asked for and are not there are named, with the first thing missing", () => {
  const asked = { elicitation: true, skills: true };
  const { extensions } = SKILLS;

  assert.deepEqual(diagnose(MODERN, {}, asked), [{ code: "skills-unavailable", missing: "extension" }]);
  assert.deepEqual(diagnose(MODERN, { extensions }, asked).at(-1), {
    code: "skills-unavailable",
    missing: "resources",
  });
  assert.deepEqual(diagnose(LEGACY, SKILLS, asked).at(-1), {
    code: "skills-unavailable",
    missing: "revision",
  });
});

test("C6 skills that nobody asked for are an extension like any other", () => {
  assert.deepEqual(diagnose(MODERN, SKILLS, { elicitation: true })[0], {
    code: "extension-unselected",
    subject: "io.modelcontextprotocol/skills",
  });
});

test("C6 a server of the older era with tools alone needs no diagnostic", () => {
  assert.deepEqual(diagnose(LEGACY, { tools: { listChanged: true } }), []);
});

for (const [protocolVersion, expected] of [
  [LEGACY, [{ code: "modern-era-unavailable" }]],
  [MODERN, []],
] as const) {
  test(`C6 auto that got ${protocolVersion} is told ${expected.length === 0 ? "nothing" : "what is missing"}`, () => {
    assert.deepEqual(diagnose(protocolVersion, {}, { selection: "auto", elicitation: true }), expected);
  });
}

for (const elicitation of [true, false]) {
  test(`C6 input rounds are ${elicitation ? "not " : ""}named as left out in 2026-07-28`, () => {
    const found = diagnose(MODERN, {}, { elicitation });

    assert.deepEqual(found, elicitation ? [] : [{ code: "input-rounds-off" }]);
  });
}

test("C6 subscriptions and unused capabilities are named", () => {
  const found = diagnose(LEGACY, { resources: { subscribe: true }, logging: {}, __proto__x: {} });

  assert.deepEqual(found, [
    { code: "subscriptions-off", subject: "resources" },
    { code: "capability-unused", subject: "logging" },
    { code: "capability-unused", subject: "__proto__x" },
  ]);
});

test("C6 in 2026-07-28 list changes that are subscribed to are not left out", () => {
  const found = diagnose(MODERN, { tools: { listChanged: true } }, { elicitation: true, listChanges: true });

  assert.deepEqual(found, []);
});

test("C6 in 2026-07-28 list changes need a subscription, and are left out where none is made", () => {
  const found = diagnose(MODERN, { tools: { listChanged: true }, prompts: {} }, { elicitation: true });

  assert.deepEqual(found, [{ code: "subscriptions-off", subject: "tools" }]);
});

test("C6 extensions that nobody selected are named, cleaned, 32 of them", () => {
  const extensions = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x\u202E${index}`, {}]));

  const found = diagnose(LEGACY, { extensions });

  assert.equal(found.length, 32);
  assert.deepEqual(found[0], { code: "extension-unselected", subject: "x0" });
});
