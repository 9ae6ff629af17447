import assert from "node:assert/strict";
import { test } from "node:test";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { checkArguments } from "../../../src/domain/catalog/arguments.ts";
import type { CallReason, CallRefusal } from "../../../src/domain/catalog/refusal.ts";
import { describeCallRefusal } from "../../../src/domain/catalog/refusal-text.ts";

const check = createSchemaValidator().compile({
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", default: 3 } },
  required: ["city"],
});

test("K5 arguments that fit are passed on as they are, without defaults", () => {
  const args = { city: "Rome", extra: [1] };

  const outcome = checkArguments(check, args);

  assert.ok(outcome.ok);
  assert.equal(outcome.value, args);
  assert.deepEqual(Object.keys(outcome.value), ["city", "extra"]);
});

test("K5 arguments that do not fit are refused with each place and what was expected", () => {
  assert.deepEqual(checkArguments(check, { days: "3" }), {
    ok: false,
    refusal: {
      kind: "call",
      reason: "invalid-arguments",
      mismatches: [
        { path: "", expected: 'a property "city"' },
        { path: "/days", expected: "type integer" },
      ],
    },
  });
});

for (const args of [undefined, null, "text", 7, []]) {
  test(`K5 the arguments ${JSON.stringify(args) ?? "undefined"} are refused as no object`, () => {
    assert.deepEqual(checkArguments(check, args), {
      ok: false,
      refusal: {
        kind: "call",
        reason: "invalid-arguments",
        mismatches: [{ path: "", expected: "an object" }],
      },
    });
  });
}

test("K5 a refusal never holds the value that did not fit", () => {
  const outcome = checkArguments(check, { city: 7, days: "canary-value" });

  assert.doesNotMatch(JSON.stringify(outcome), /canary/);
});

const SENTENCES: Readonly<Record<CallReason, readonly [CallRefusal, RegExp]>> = {
  "tool-held": [
    { kind: "call", reason: "tool-held", hold: "definition-changed" },
    /tools --changes.*definition-changed/,
  ],
  "headers-not-allowed": [
    { kind: "call", reason: "headers-not-allowed" },
    /in HTTP headers .* `parameterHeaders`/,
  ],
  "unknown-tool": [{ kind: "call", reason: "unknown-tool" }, /list the tools/],
  "invalid-arguments": [
    {
      kind: "call",
      reason: "invalid-arguments",
      mismatches: [
        { path: "", expected: 'a property "city"' },
        { path: "/days", expected: "type integer" },
      ],
    },
    /the arguments: expected a property "city"; \/days: expected type integer\./,
  ],
};

for (const [reason, [refusal, sentence]] of Object.entries(SENTENCES)) {
  test(`K5 the refusal ${reason} says what to change`, () => {
    assert.match(describeCallRefusal(refusal), sentence);
  });
}
