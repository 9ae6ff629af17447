import type { AuditEvent } from "../../src/domain/activation/audit-event.ts";
import { encodeAuditEvent } from "../../src/domain/activation/audit-line.ts";
import type { AuditLog, AuditSink } from "../../src/ports/audit-sink.ts";

/** Keeps audit events as long as the test runs; `recorded` shows them at once. */
export function createMemoryAuditLog(): AuditSink & AuditLog & { readonly recorded: readonly AuditEvent[] } {
  const recorded: AuditEvent[] = [];
  return {
    recorded,
    append: async (event) => {
      // The real sink takes closed words only; so does this one.
      encodeAuditEvent(event);
      recorded.push(event);
    },
    events: async function* ({ signal }) {
      for (const event of recorded) {
        signal.throwIfAborted();
        yield event;
      }
    },
  };
}
