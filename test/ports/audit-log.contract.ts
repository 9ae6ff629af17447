import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import { type AuditEvent, AUDIT_ACTIONS } from "../../src/domain/activation/audit-event.ts";
import type { AuditLog, AuditSink } from "../../src/ports/audit-sink.ts";
import { NEVER, collected, digestOf } from "../kit/activation.ts";

/** Registers what every audit log has to do. `make` answers an empty one. */
export function auditLogContract(
  name: string,
  make: (t: TestContext) => Promise<AuditSink & AuditLog>,
): void {
  test(`A6 ${name}: a log that nobody wrote to has no events`, async (t) => {
    const log = await make(t);

    assert.deepEqual(await collected(log.events({ signal: NEVER })), []);
  });

  test(`A6 ${name}: every kind of event is read back whole, oldest first`, async (t) => {
    const log = await make(t);
    const events = AUDIT_ACTIONS.map((action, index) => eventOf(action, index));

    for (const event of events) await log.append(event);

    assert.deepEqual(await collected(log.events({ signal: NEVER })), events);
  });

  test(`A6 ${name}: events appended without waiting keep their order`, async (t) => {
    const log = await make(t);
    const events = Array.from({ length: 30 }, (_, index) => eventOf("approve", index));

    await Promise.all(events.map((event) => log.append(event)));

    assert.deepEqual(await collected(log.events({ signal: NEVER })), events);
  });

  test(`A6 ${name}: an event that carries an endpoint is a caller's bug and leaves no line`, async (t) => {
    const log = await make(t);
    const leaking = { ...eventOf("approve", 1), reason: "https://canary.example/?token=canary" };

    await assert.rejects(log.append(leaking), { code: "audit-event-invalid" });

    assert.deepEqual(await collected(log.events({ signal: NEVER })), []);
  });

  test(`A6 ${name}: reading stops with the signal's reason`, async (t) => {
    const log = await make(t);
    await log.append(eventOf("approve", 1));
    const reason = new Error("enough");

    await assert.rejects(collected(log.events({ signal: AbortSignal.abort(reason) })), reason);
  });
}

function eventOf(action: AuditEvent["action"], atMs: number): AuditEvent {
  return {
    action,
    atMs,
    serverId: "serveur à fichiers",
    source: "project",
    fingerprint: digestOf("fingerprint"),
    securityIdentity: digestOf("identity"),
    repositoryIdentity: digestOf("repository"),
    generation: 2,
    authority: "user",
    reason: "activation/pending",
  };
}
