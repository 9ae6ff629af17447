import { addressClass, type GateReason, type GateRecord } from "../../domain/gate/gate-record.ts";

/** Is told of every refusal (R7). What it throws is dropped: the refusal stands, and the next request is another's. */
export type GateAudit = (record: GateRecord) => void;

export function gateAudit(
  audit: GateAudit | undefined,
): (reason: GateReason, address: string | undefined) => void {
  if (audit === undefined) return () => undefined;
  return (reason, address) => {
    try {
      audit(Object.freeze({ reason, address: addressClass(address) }));
    } catch {
      // Said above.
    }
  };
}
