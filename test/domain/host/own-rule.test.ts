import assert from "node:assert/strict";
import { test } from "node:test";

import { isOwnRule } from "../../../src/domain/host/own-rule.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";

const auth = { kind: "auth", serverId: "web" } as const;

const ROWS: readonly (readonly [refusal: AuthRefusal, own: boolean])[] = [
  [{ ...auth, reason: "sign-in-required" }, true],
  [{ ...auth, reason: "settings-invalid" }, true],
  [{ ...auth, reason: "store-unavailable" }, true],
  [{ ...auth, reason: "helper-not-allowed" }, true],
  // The server was asked, and said so.
  [{ ...auth, reason: "sign-in-required", status: 401 }, false],
  [{ ...auth, reason: "rejected", status: 401 }, false],
  [{ ...auth, reason: "step-up-required", status: 403 }, false],
  [{ ...auth, reason: "unreachable" }, false],
  [{ ...auth, reason: "grant-refused" }, false],
  [{ ...auth, reason: "helper-failed" }, false],
];

for (const [refusal, own] of ROWS) {
  const { reason, status } = refusal;
  test(`U3 ${reason}${status === undefined ? "" : ` after a ${status}`} ${own ? "comes before" : "comes after"} the first contact`, () => {
    assert.equal(isOwnRule(refusal), own);
  });
}
