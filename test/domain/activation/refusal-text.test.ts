import assert from "node:assert/strict";
import { test } from "node:test";

import type { ActivationRefusal } from "../../../src/domain/activation/approval.ts";
import {
  describeActivationDecisionRefusal,
  describeActivationRefusal,
  describeHomeRefusal,
  describeStoreRefusal,
} from "../../../src/domain/activation/refusal-text.ts";
import { HOME_REASONS, STORE_REASONS } from "../../../src/domain/activation/store-refusal.ts";

const FIX: Readonly<Record<ActivationRefusal["reason"], string>> = {
  pending: "sallyport approve helper",
  stale: "sallyport approve helper",
  rejected: "sallyport approve helper",
  revoked: "sallyport approve helper",
  untrusted: "sallyport trust",
};
for (const [reason, command] of Object.entries(FIX) as [ActivationRefusal["reason"], string][]) {
  test(`A3 the sentence for ${reason} names the server and ends with the command that fixes it`, () => {
    const sentence = describeActivationRefusal({ kind: "activation", reason, serverId: "helper" });

    assert.match(sentence, /"helper"/);
    assert.ok(sentence.endsWith(command), sentence);
  });
}

for (const [reason, command] of [
  ["untrusted", "sallyport trust"],
  ["workspace-changed", "sallyport approve helper"],
] as const) {
  test(`A4 the sentence for an approval that was not given (${reason}) ends with the command that fixes it`, () => {
    const sentence = describeActivationDecisionRefusal({
      kind: "activation-decision",
      reason,
      serverId: "helper",
    });

    assert.ok(sentence.endsWith(command), sentence);
  });
}

test("A3 a name that a project chose cannot turn the command into another one", () => {
  for (const [serverId, argument] of [
    ["a; rm -rf ~", "'a; rm -rf ~'"],
    ["it's", `'it'\\''s'`],
    ["$(x)", "'$(x)'"],
    ["--yes", "-- --yes"],
    ["@scope/name.v1", "@scope/name.v1"],
  ] as const) {
    const sentence = describeActivationRefusal({ kind: "activation", reason: "pending", serverId });

    assert.ok(sentence.endsWith(`sallyport approve ${argument}`), sentence);
  }
});

test("A3 a control or bidi character in a name is shown escaped", () => {
  const sentence = describeActivationRefusal({
    kind: "activation",
    reason: "pending",
    serverId: "a\u202e\u001b[31mb",
  });

  assert.equal(sentence.includes("\u202e") || sentence.includes("\u001b"), false);
});

test("M1 every reason of the stores and of the home has one sentence of its own", () => {
  const sentences = [
    ...STORE_REASONS.map((reason) => describeStoreRefusal({ kind: "store", reason })),
    ...HOME_REASONS.map((reason) => describeHomeRefusal({ kind: "home", reason })),
  ];

  assert.equal(new Set(sentences).size, STORE_REASONS.length + HOME_REASONS.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*;.*\.$/);
});

test("M1 the reasons of the stores and of the home are exactly these", () => {
  assert.deepEqual(STORE_REASONS, [
    "store-failed",
    "store-corrupt",
    "store-too-new",
    "store-insecure",
    "store-full",
    "lock-timeout",
    "workspace-missing",
  ]);
  assert.deepEqual(HOME_REASONS, [
    "home-not-absolute",
    "home-in-workspace",
    "home-unusable",
    "settings-invalid",
  ]);
});
