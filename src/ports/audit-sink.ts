import type { AuditEvent } from "../domain/activation/audit-event.ts";

/** For keeping a record of every decision. */
export interface AuditSink {
  /** Resolves when the event is on its way to durable storage; a failure rejects with a `HostFault`. */
  append(event: AuditEvent): Promise<void>;
}

/** For reading the record back, oldest first. */
export interface AuditLog {
  /** `onUnreadable` is called once for each line that is cut or foreign; reading goes on behind it. */
  events(options: {
    readonly signal: AbortSignal;
    readonly onUnreadable?: () => void;
  }): AsyncIterable<AuditEvent>;
}
