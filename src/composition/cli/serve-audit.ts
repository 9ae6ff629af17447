import { requestRefusedEvent } from "../../domain/activation/audit-event.ts";
import type { AuditSink } from "../../ports/audit-sink.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GateAudit } from "../serve/http-audit.ts";
import type { Output } from "./output.ts";

/** Lines a minute: whoever is refused at will must not fill the disk. */
export const REFUSALS_A_MINUTE = 600;
const MINUTE_MS = 60_000;

/** Appends each refusal of a gate to the audit log (R7). What is left out of it is counted, and told once a minute. */
export function gateAuditLog({
  sink,
  clock,
  output,
}: {
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly output: Pick<Output, "note">;
}): GateAudit {
  let window = { startMs: Number.NEGATIVE_INFINITY, written: 0, left: 0 };
  let failed = false;
  return (record) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - window.startMs >= MINUTE_MS) {
      if (window.left > 0) output.note(`sallyport: ${window.left} more refusals are not in the audit log`);
      window = { startMs: nowMs, written: 0, left: 0 };
    }
    if (window.written >= REFUSALS_A_MINUTE) {
      window.left += 1;
      return;
    }
    window.written += 1;
    sink.append(requestRefusedEvent(record, clock.nowMs())).catch(() => {
      if (!failed)
        output.note("sallyport: the audit log cannot be written; requests are refused all the same");
      failed = true;
    });
  };
}
