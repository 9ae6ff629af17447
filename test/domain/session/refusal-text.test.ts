import assert from "node:assert/strict";
import { test } from "node:test";

import { describeSessionRefusal } from "../../../src/domain/session/refusal-text.ts";
import { SESSION_REASONS, type SessionRefusal } from "../../../src/domain/session/refusal.ts";

function refusal(more: Partial<SessionRefusal>): SessionRefusal {
  return { kind: "session", reason: "timeout", serverId: "s", stage: "call", ...more };
}

for (const reason of SESSION_REASONS) {
  test(`C10 ${reason} is one sentence that names the server and what was done`, () => {
    assert.match(describeSessionRefusal(refusal({ reason })), /^server "s", calling a tool: [^\n]+\.$/);
  });
}

test("C10 a deadline says its length", () => {
  assert.match(describeSessionRefusal(refusal({ limitMs: 1_500 })), /within 1500 ms/);
});

test("C8 an unknown outcome says that it is unknown, and what ended the wait", () => {
  const aborted = describeSessionRefusal(refusal({ reason: "outcome-unknown", ended: "abort" }));
  const late = describeSessionRefusal(
    refusal({ reason: "outcome-unknown", ended: "total-timeout", limitMs: 9 }),
  );

  assert.match(aborted, /cancelled .* unknown/);
  assert.match(late, /within 9 ms.* unknown/);
});

test("C1 a missing revision is named", () => {
  const text = describeSessionRefusal(refusal({ reason: "version-unsupported", revision: "2026-07-28" }));

  assert.match(text, /2026-07-28/);
});

test("V2 a status says how long the server asks to be left alone", () => {
  const busy = refusal({ reason: "http-status", code: 503, retryAfterMs: 7_000 });

  assert.match(describeSessionRefusal(busy), /HTTP status 503 and asks to be left alone for 7000 ms\.$/);
});
