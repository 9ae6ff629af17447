import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldChanges } from "../../../src/domain/activation/field-changes.ts";

const COMMAND = { path: "command", digest: "0000000000000001", shown: "node" };
const ENV = { path: "env.A", digest: "0000000000000002", shown: "[redacted]" };

test("A3 fields that are the same before and after are no change", () => {
  assert.deepEqual(fieldChanges([COMMAND, ENV], [ENV, COMMAND]), []);
});

test("A3 what was added, changed and removed is told field by field", () => {
  const changed = { ...COMMAND, digest: "0000000000000003", shown: "sh" };
  const added = { path: "cwd", digest: "0000000000000004", shown: "/work" };

  assert.deepEqual(fieldChanges([COMMAND, ENV], [changed, added]), [
    { path: "command", change: "changed", before: "node", after: "sh" },
    { path: "cwd", change: "added", after: "/work" },
    { path: "env.A", change: "removed", before: "[redacted]" },
  ]);
});

test("A3 a value that is shown redacted before and after is still told to have changed", () => {
  const rotated = { ...ENV, digest: "0000000000000005" };

  assert.deepEqual(fieldChanges([ENV], [rotated]), [
    { path: "env.A", change: "changed", before: "[redacted]", after: "[redacted]" },
  ]);
});
