import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ADMISSION_REASONS,
  HEADER_REASONS,
  ITEM_REASONS,
  PROFILE_REASONS,
  QUARANTINE_REASONS,
  SCHEMA_REASONS,
} from "../../../src/domain/catalog/adapt-reason.ts";
import { describeAdaptReason, describeRejectReason } from "../../../src/domain/catalog/reason-text.ts";

test("K2 every reason has a sentence of its own", () => {
  const adapted = [...SCHEMA_REASONS, ...PROFILE_REASONS, ...ITEM_REASONS].map((reason) =>
    describeAdaptReason({ reason }),
  );
  const rejected = [...QUARANTINE_REASONS, ...ADMISSION_REASONS, ...HEADER_REASONS].map(describeRejectReason);
  const all = [...adapted, ...rejected];

  assert.equal(new Set(all).size, all.length);
  for (const sentence of all) assert.match(sentence, /^[a-z].*[^.]$/);
});

test("K4 a reason with a place says where", () => {
  assert.equal(
    describeAdaptReason({ reason: "conditional", path: "/inputSchema/if" }),
    "a condition (`if`) is not checked (/inputSchema/if)",
  );
  assert.equal(describeAdaptReason({ reason: "conditional", path: "" }), "a condition (`if`) is not checked");
});
