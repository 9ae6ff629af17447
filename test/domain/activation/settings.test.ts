import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeSettings } from "../../../src/domain/activation/settings.ts";

for (const pins of ["hold", "report", "off"]) {
  test(`A7 M1 the pin policy ${pins} is read`, () => {
    assert.deepEqual(decodeSettings({ version: 1, pins }), { ok: true, value: { pins } });
  });
}

test("A7 M1 settings without a pin policy settle nothing", () => {
  assert.deepEqual(decodeSettings({ version: 1 }), { ok: true, value: {} });
});

const INVALID: readonly (readonly [what: string, value: unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a list", []],
  ["a text", "hold"],
  ["no version", { pins: "hold" }],
  ["another version", { version: 2, pins: "hold" }],
  ["a version in letters", { version: "1", pins: "hold" }],
  ["an inherited version", Object.create({ version: 1 })],
  ["a misspelled key", { version: 1, pin: "hold" }],
  ["a key that every object inherits", JSON.parse('{ "version": 1, "__proto__": {} }')],
  ["another policy", { version: 1, pins: "Hold" }],
  ["a policy that every object inherits", { version: 1, pins: "constructor" }],
  ["a policy that is no text", { version: 1, pins: true }],
  ["a policy of null", { version: 1, pins: null }],
];

for (const [what, value] of INVALID) {
  test(`A7 M1 ${what} settles nothing in silence: it is invalid`, () => {
    assert.deepEqual(decodeSettings(value), { ok: false, refusal: "invalid" });
  });
}
