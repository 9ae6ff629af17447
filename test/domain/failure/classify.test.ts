import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type Classification,
  classify,
  FAILURE_CLASSES,
  FAILURE_REASONS,
} from "../../../src/domain/failure/classify.ts";
import { endedHere, evidenceOf, FAULT, type FailureEvidence } from "../../../src/domain/failure/evidence.ts";
import { STDIO_DETAILS } from "../../../src/domain/launch/refusal.ts";
import { AUTH_REASONS } from "../../../src/domain/oauth/refusal.ts";
import type { Refusal } from "../../../src/domain/refusal.ts";
import { SESSION_REASONS } from "../../../src/domain/session/refusal.ts";
import { allRefusals } from "../../pins/refusals.ts";

/** What is tried again, and nothing else is. */
const TRANSIENT: ReadonlySet<string> = new Set([
  "session/response-lost",
  "session/connection-closed",
  "session/session-expired",
  "session/timeout",
  // The table's status is 503.
  "session/http-status",
  "network/connection-refused",
  "network/connection-reset",
  "network/unreachable",
  "egress/unresolvable",
  "egress/timeout",
  "stdio/early-exit",
  "stdio/send",
  // The table's detail is `no-resources`.
  "stdio/start",
  "auth/lock-timeout",
  "auth/unreachable",
]);

for (const refusal of allRefusals()) {
  const name = `${refusal.kind}/${refusal.reason}`;
  test(`V2 ${name} is ${TRANSIENT.has(name) ? "" : "not "}transient, and has a class and a reason`, () => {
    const found = classify(evidenceOf(refusal));

    assert.equal(found.class === "transient", TRANSIENT.has(name));
    assert.ok(FAILURE_CLASSES.includes(found.class) && FAILURE_REASONS.includes(found.reason));
  });
}

const STATUSES = [
  [400, "protocol", "status"],
  [401, "auth", "authorization"],
  [403, "auth", "authorization"],
  [404, "not-found", "endpoint-missing"],
  [405, "protocol", "status"],
  [408, "transient", "server-busy"],
  [410, "not-found", "endpoint-missing"],
  [425, "transient", "server-busy"],
  [429, "transient", "server-busy"],
  [500, "transient", "server-error"],
  [501, "protocol", "status"],
  [502, "transient", "server-error"],
  [503, "transient", "server-busy"],
  [504, "transient", "server-error"],
  [505, "protocol", "status"],
  [undefined, "protocol", "status"],
] as const;

for (const [code, failureClass, reason] of STATUSES) {
  test(`V2 HTTP status ${code} is ${failureClass}`, () => {
    const evidence: FailureEvidence = {
      kind: "session",
      reason: "http-status",
      ...(code !== undefined && { code }),
    };

    assert.deepEqual(classify(evidence), { class: failureClass, reason });
  });
}

function ended(exitCode?: number): Classification {
  return classify({ kind: "stdio", reason: "early-exit", ...(exitCode !== undefined && { exitCode }) });
}

test("V2 a child that ends may come back, one whose command is not there may not", () => {
  assert.deepEqual(ended(), { class: "transient", reason: "child-ended" });
  assert.deepEqual(ended(1), { class: "transient", reason: "child-ended" });
  assert.deepEqual(ended(126), { class: "config", reason: "not-startable" });
  assert.deepEqual(ended(127), { class: "not-found", reason: "command-missing" });
});

test("V2 of the ways not to start, only a lack of resources passes by itself", () => {
  const classes = STDIO_DETAILS.map(
    (detail) => [detail, classify({ kind: "stdio", reason: "start", detail })] as const,
  );

  assert.deepEqual(
    classes.filter(([, found]) => found.class !== "config"),
    [
      ["not-found", { class: "not-found", reason: "command-missing" }],
      ["no-resources", { class: "transient", reason: "machine-busy" }],
    ],
  );
});

test("V2 an unknown error is not transient", () => {
  assert.deepEqual(classify(FAULT), { class: "config", reason: "fault" });
  assert.deepEqual(classify({ kind: "network", reason: "other" }), { class: "config", reason: "fault" });
});

test("V2 the classes and the reasons are the pinned ones", () => {
  assert.deepEqual(FAILURE_CLASSES, ["transient", "auth", "config", "not-found", "protocol"]);
  assert.deepEqual(FAILURE_REASONS.toSorted(), [
    "authorization",
    "broken-answer",
    "certificate",
    "child-ended",
    "command-missing",
    "ended-here",
    "endpoint-missing",
    "fault",
    "issuer-unreachable",
    "lost",
    "machine-busy",
    "not-offered",
    "not-startable",
    "outcome-unknown",
    "over-bound",
    "own-rule",
    "server-busy",
    "server-error",
    "status",
    "timed-out",
    "unreachable",
    "version",
  ]);
});

test("V2 each of the five classes is reached, and each reason", () => {
  const found = [...allRefusals().map((refusal) => evidenceOf(refusal)), FAULT].map((one) => classify(one));
  const more = STATUSES.map(([code]) =>
    classify({ kind: "session", reason: "http-status", code: code ?? 0 }),
  );
  const child = ([126, 127] as const).map((exitCode) =>
    classify({ kind: "stdio", reason: "early-exit", exitCode }),
  );
  const all = [...found, ...more, ...child];

  assert.deepEqual(new Set(all.map((one) => one.class)), new Set(FAILURE_CLASSES));
  assert.deepEqual(new Set(all.map((one) => one.reason)), new Set(FAILURE_REASONS));
});

test("V2 every reason of a session and of a sign-in has a verdict", () => {
  for (const reason of SESSION_REASONS) assert.ok(classify({ kind: "session", reason }).reason);
  for (const reason of AUTH_REASONS) assert.ok(classify({ kind: "auth", reason }).reason);
});

test("V2 evidence holds closed words and numbers, and no name of anybody's", () => {
  const text = JSON.stringify(allRefusals().map((refusal) => evidenceOf(refusal)));

  assert.doesNotMatch(text, /files|example|TOKEN|NODE_OPTIONS/);
});

test("V2 what the server asked for is part of the evidence", () => {
  const refusal: Refusal = {
    kind: "session",
    reason: "http-status",
    serverId: "s",
    stage: "connect",
    code: 429,
    retryAfterMs: 7_000,
  };

  assert.deepEqual(evidenceOf(refusal), {
    kind: "session",
    reason: "http-status",
    code: 429,
    retryAfterMs: 7_000,
  });
});

test("V1 what this host ended itself is no failure", () => {
  const here = allRefusals().filter((refusal) => endedHere(evidenceOf(refusal)));

  assert.deepEqual(
    here.map((refusal) => `${refusal.kind}/${refusal.reason}`),
    ["egress/closed", "stdio/cancelled", "session/cancelled", "session/closed"],
  );
});
