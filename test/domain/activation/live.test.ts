import assert from "node:assert/strict";
import { test } from "node:test";

import type { ActivationStatus, ApprovedLaunchFacts } from "../../../src/domain/activation/approval.ts";
import { connectionMayStay } from "../../../src/domain/activation/live.ts";
import { makeRecord, makeSubject } from "../../kit/activation.ts";

const LAUNCH: ApprovedLaunchFacts = {
  executable: "/usr/bin/true",
  cwd: "/work",
  envKeys: ["A", "B"],
  codeChangingEnvKeys: ["B"],
  allowShell: false,
};
const admitted = makeRecord({ launch: LAUNCH });

test("A6b a connection whose approval still matches stays", () => {
  assert.deepEqual(connectionMayStay(admitted, { status: "approved", record: admitted }), { stay: true });
});

test("A6b a connection stays when another authority approved the same thing", () => {
  const record = makeRecord({ authority: "managed", launch: LAUNCH });

  assert.deepEqual(connectionMayStay(admitted, { status: "approved", record }), { stay: true });
});

test("A6b a connection whose definition is gone is closed", () => {
  assert.deepEqual(connectionMayStay(admitted, undefined), { stay: false, reason: "removed" });
});

const no: readonly ActivationStatus[] = [
  { status: "pending" },
  { status: "stale", differs: ["fingerprint"], record: admitted },
  { status: "rejected", authority: "user" },
  { status: "revoked", authority: "user" },
  { status: "untrusted" },
];
for (const status of no) {
  test(`A6b a connection whose server is ${status.status} now is closed`, () => {
    assert.deepEqual(connectionMayStay(admitted, status), { stay: false, reason: status.status });
  });
}

test("A6b a changed definition that somebody approved meanwhile closes the old connection", () => {
  const record = makeRecord({ subject: makeSubject({ content: "changed" }), launch: LAUNCH });

  assert.deepEqual(connectionMayStay(admitted, { status: "approved", record }), {
    stay: false,
    reason: "definition-changed",
  });
});

const launches: readonly (readonly [string, ApprovedLaunchFacts | undefined])[] = [
  ["executable", { ...LAUNCH, executable: "/usr/bin/false" }],
  ["working directory", { ...LAUNCH, cwd: "/elsewhere" }],
  ["environment names", { ...LAUNCH, envKeys: ["A"] }],
  ["code-changing names", { ...LAUNCH, codeChangingEnvKeys: [] }],
  ["shell", { ...LAUNCH, allowShell: true }],
  ["launch at all", undefined],
];
for (const [what, launch] of launches) {
  test(`A6b a connection is closed when it was started with another ${what} than is approved now`, () => {
    const { launch: _, ...rest } = admitted;
    const record = launch === undefined ? rest : { ...rest, launch };

    assert.deepEqual(connectionMayStay(admitted, { status: "approved", record }), {
      stay: false,
      reason: "definition-changed",
    });
  });
}
