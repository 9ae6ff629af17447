import type { Authority } from "../../domain/gate/authority.ts";
import { judgeLoopbackHead } from "../../domain/gate/loopback.ts";
import type { OwnBearer } from "../../domain/gate/own-bearer.ts";
import type { GateAnswer, HttpGate } from "../../ports/http-gate.ts";
import { gateAudit, type GateAudit } from "./http-audit.ts";

/** Whoever holds the bearer is one and the same caller: the person who started the host. */
const ADMITTED: GateAnswer = Object.freeze({ kind: "admitted", caller: "loopback" });

/** The gate of a loopback host (R4). Answers at once: nothing is asked of anybody. */
export function loopbackGate({
  authority,
  bearer,
  audit,
}: {
  readonly authority: Authority;
  readonly bearer: OwnBearer;
  readonly audit: GateAudit | undefined;
}): HttpGate {
  const note = gateAudit(audit);
  return {
    judge: (head) => judgeLoopbackHead(head, { authority, bearer }) ?? ADMITTED,
    turnedAway: (reason, { peer }) => note(reason, peer),
  };
}
