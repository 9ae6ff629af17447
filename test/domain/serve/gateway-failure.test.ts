import assert from "node:assert/strict";
import { test } from "node:test";

import { describeRefusal } from "../../../src/domain/refusal-text.ts";
import type { Refusal } from "../../../src/domain/refusal.ts";
import type { FailureStatus } from "../../../src/domain/serve/agent.ts";
import { gatewayFailure, isServerInDoubt } from "../../../src/domain/serve/gateway-failure.ts";

const session = { kind: "session", serverId: "files", stage: "call" } as const;

const STATUSES: readonly (readonly [refusal: Refusal, status: FailureStatus, inDoubt: boolean])[] = [
  [{ kind: "call", reason: "unknown-tool" }, "unknown-tool", false],
  [{ kind: "call", reason: "tool-held", hold: "definition-changed" }, "denied", false],
  [
    { kind: "call", reason: "invalid-arguments", mismatches: [{ path: "/a", expected: "type number" }] },
    "invalid-arguments",
    false,
  ],
  [{ kind: "call", reason: "headers-not-allowed" }, "denied", false],
  [{ kind: "activation", reason: "revoked", serverId: "files" }, "denied", true],
  [{ kind: "egress", reason: "private-address" }, "denied", true],
  [{ kind: "egress", reason: "timeout" }, "failed", true],
  [{ kind: "network", reason: "connection-refused" }, "failed", true],
  [{ kind: "stdio", reason: "start", detail: "no-resources" }, "failed", true],
  [{ kind: "auth", reason: "sign-in-required", serverId: "files" }, "permission-required", true],
  [{ ...session, reason: "auth-required" }, "permission-required", true],
  [{ kind: "elicitation", reason: "form-malformed", serverId: "files" }, "input-required", false],
  [{ ...session, reason: "input-required" }, "input-required", false],
  [{ ...session, reason: "cancelled" }, "cancelled", false],
  [{ ...session, reason: "outcome-unknown", ended: "abort" }, "cancelled", true],
  [{ ...session, reason: "outcome-unknown", ended: "timeout", limitMs: 5 }, "failed", true],
  [{ ...session, reason: "timeout", ended: "timeout", limitMs: 5 }, "failed", true],
  [{ ...session, reason: "connection-closed" }, "failed", true],
  [{ ...session, reason: "response-too-large" }, "failed", false],
  [{ ...session, reason: "protocol-error", code: -32_602 }, "failed", false],
  [{ kind: "result", reason: "too-large", limitChars: 25_000 }, "failed", false],
  [{ kind: "host", reason: "closed", serverId: "files" }, "denied", true],
];

for (const [refusal, status, inDoubt] of STATUSES) {
  test(`R11 a call that ended with ${refusal.kind}/${refusal.reason} is ${status} to the client, in the sentence of a person`, () => {
    assert.deepEqual(gatewayFailure({ refusal }), { status, message: describeRefusal(refusal) });
    assert.equal(isServerInDoubt(refusal), inDoubt);
  });
}

test("K5 a model is told which argument does not fit, and what was expected", () => {
  const mismatches = [{ path: "/a", expected: "type number" }];
  const outcome = gatewayFailure({ refusal: { kind: "call", reason: "invalid-arguments", mismatches } });

  assert.match(outcome.status === "completed" ? "" : (outcome.message ?? ""), /\/a: expected type number/);
});

test("C10 a server's words stand apart from ours, cleaned, where it answered this very call with an error", () => {
  const refusal = { ...session, reason: "protocol-error", code: -32_602 } as const;
  const outcome = gatewayFailure({ refusal, untrusted: { message: "city is\u202e missing" } });

  assert.deepEqual(outcome, {
    status: "completed",
    isError: true,
    content: [
      { type: "text", text: describeRefusal(refusal) },
      { type: "text", text: "The server says: city is missing" },
    ],
  });
});

test("C10 what a server says while it fails otherwise stays here", () => {
  const refusal = { ...session, reason: "http-status", code: 500 } as const;
  const outcome = gatewayFailure({ refusal, untrusted: { message: "db password=hunter2" } });

  assert.deepEqual(outcome, { status: "failed", message: describeRefusal(refusal) });
});
