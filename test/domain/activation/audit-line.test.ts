import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AUDIT_LINE_LIMIT_BYTES,
  type AuditEvent,
  admissionRefusedEvent,
  connectionClosedEvent,
  decisionEvent,
  trustEvent,
} from "../../../src/domain/activation/audit-event.ts";
import { decodeAuditLine, encodeAuditEvent } from "../../../src/domain/activation/audit-line.ts";
import { TRUSTED, UNTRUSTED, makeRecord, makeSubject } from "../../kit/activation.ts";

const SUBJECT = makeSubject();
const IDENTITIES = {
  serverId: "helper",
  source: "project",
  fingerprint: SUBJECT.provenance.fingerprint,
  securityIdentity: SUBJECT.securityIdentity,
  repositoryIdentity: TRUSTED.repositoryIdentity,
  generation: TRUSTED.generation,
};

for (const [decision, action] of [
  ["approved", "approve"],
  ["rejected", "reject"],
  ["revoked", "revoke"],
] as const) {
  test(`A6 the event of ${decision} holds who decided, when, and the identities, and nothing of the definition`, () => {
    const record = makeRecord({
      decision,
      covered: [{ path: "url", digest: "00", shown: "https://canary" }],
    });

    assert.deepEqual(decisionEvent(record), {
      action,
      atMs: record.decidedAtMs,
      ...IDENTITIES,
      authority: "user",
    });
  });
}

test("A6 the event of a refused admission holds the refusal's closed words alone", () => {
  const refusal = { kind: "activation", reason: "pending", serverId: "canary", url: "https://canary" };

  assert.deepEqual(admissionRefusedEvent(SUBJECT, refusal, 7), {
    action: "admission-refused",
    atMs: 7,
    ...IDENTITIES,
    reason: "activation/pending",
  });
});

test("A6 the event of a closed connection says why it had to go", () => {
  assert.deepEqual(connectionClosedEvent(SUBJECT, "stale", 7), {
    action: "connection-closed",
    atMs: 7,
    ...IDENTITIES,
    reason: "stale",
  });
});

test("A6 the event of trust given or taken names the workspace by its identity, never by its path", () => {
  const { repositoryIdentity, generation } = TRUSTED;

  assert.deepEqual(trustEvent(TRUSTED, 7), { action: "trust", atMs: 7, repositoryIdentity, generation });
  assert.deepEqual(trustEvent(UNTRUSTED, 7), { action: "untrust", atMs: 7, repositoryIdentity, generation });
});

test("A6 the event of a user server has no workspace", () => {
  const event = decisionEvent(makeRecord({ subject: makeSubject({ source: "user" }) }));

  assert.equal("repositoryIdentity" in event || "generation" in event, false);
});

const EVENT = decisionEvent(makeRecord());
const leaks: readonly (readonly [string, object])[] = [
  ["an endpoint", { url: "https://canary.example" }],
  ["headers", { headers: { authorization: "canary" } }],
  ["arguments", { args: ["canary"] }],
  ["a URL for a reason", { reason: "https://canary.example/x" }],
  ["a message for a reason", { reason: "Refused because canary" }],
  ["a three-part reason", { reason: "a/b/c" }],
  ["a long reason", { reason: "a".repeat(65) }],
  ["a path for an identity", { repositoryIdentity: "/work/canary" }],
  ["a token for a fingerprint", { fingerprint: "sk-canary" }],
  ["an unknown action", { action: "canary" }],
  ["a server id over two lines", { serverId: "canary\ncanary" }],
];
for (const [what, change] of leaks) {
  test(`A6 an event with ${what} is not written, and the error does not quote it`, () => {
    // A host in plain JavaScript can pass anything.
    const event = { ...EVENT, ...change } as AuditEvent;

    assert.throws(
      () => encodeAuditEvent(event),
      (error) =>
        error instanceof TypeError &&
        "code" in error &&
        error.code === "audit-event-invalid" &&
        !`${error.stack}${JSON.stringify(error)}`.includes("canary"),
    );
  });
}

test("A6 the longest event fits into a line", () => {
  const longest: AuditEvent = {
    ...EVENT,
    action: "admission-refused",
    atMs: Number.MAX_SAFE_INTEGER,
    serverId: "\u{1f600}".repeat(128),
    generation: Number.MAX_SAFE_INTEGER,
    reason: `${"a".repeat(64)}/${"b".repeat(64)}`,
  };

  assert.ok(new TextEncoder().encode(encodeAuditEvent(longest)).length < AUDIT_LINE_LIMIT_BYTES);
});

test("A6 a line is read back to its event", () => {
  assert.deepEqual(decodeAuditLine(encodeAuditEvent(EVENT)), EVENT);
});

for (const [what, line] of [
  ["cut", encodeAuditEvent(EVENT).slice(0, -4)],
  ["empty", ""],
  ["of another program", '{"level":30,"msg":"started"}'],
  ["with a foreign key", JSON.stringify({ ...EVENT, url: "https://canary.example" })],
  ["a number", "7"],
] as const) {
  test(`A6 a line that is ${what} is no event`, () => {
    assert.equal(decodeAuditLine(line), undefined);
  });
}
