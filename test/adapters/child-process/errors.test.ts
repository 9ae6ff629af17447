import assert from "node:assert/strict";
import { test } from "node:test";

import { startRefusal } from "../../../src/adapters/child-process/errors.ts";

const ROWS = [
  ["ENOENT", "not-found"],
  ["ENOTDIR", "not-found"],
  ["EACCES", "not-permitted"],
  ["EPERM", "not-permitted"],
  ["E2BIG", "too-large"],
  ["EAGAIN", "no-resources"],
  ["EMFILE", "no-resources"],
  ["ENFILE", "no-resources"],
  ["ENOMEM", "no-resources"],
  ["ENOEXEC", "bad-format"],
  ["ESOMETHING", "other-fault"],
] as const;

for (const [code, detail] of ROWS) {
  test(`X7 a spawn that the system refuses with ${code} is start/${detail}, without the system's words`, () => {
    const error = Object.assign(new Error(`spawn /secret/path ${code}`), { code });

    assert.deepEqual(startRefusal(error), { kind: "stdio", reason: "start", detail });
  });
}

test("X7 a spawn that fails without a code is start/other-fault", () => {
  assert.deepEqual(startRefusal("spawn /secret/path"), {
    kind: "stdio",
    reason: "start",
    detail: "other-fault",
  });
});
