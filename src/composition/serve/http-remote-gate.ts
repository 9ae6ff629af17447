import { callerAddress, throttleKey, type TrustedProxies } from "../../domain/gate/forwarded-address.ts";
import {
  judgeRemoteHead,
  judgeTokenRefusal,
  judgeVerified,
  throttled,
  TOKEN_SKEW_MS,
  VERIFIER_FAILED,
} from "../../domain/gate/remote.ts";
import type { RemotePlace } from "../../domain/gate/remote-place.ts";
import { headerValues, type RequestHead } from "../../domain/gate/request-head.ts";
import { FailureThrottle } from "../../domain/gate/throttle.ts";
import type { TokenRefusal } from "../../domain/gate/token-refusal.ts";
import { NOT_POST } from "../../domain/gate/turned-away.ts";
import type { AccessTokenVerifier } from "../../ports/access-token-verifier.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GateAnswer, HttpGate } from "../../ports/http-gate.ts";
import { gateAudit, type GateAudit } from "./http-audit.ts";

/** The longest that the timers of runtimes can wait: longer ones end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface RemoteGateOptions {
  readonly place: RemotePlace;
  readonly verifier: AccessTokenVerifier;
  readonly trusted: TrustedProxies;
  readonly clock: Clock;
  readonly audit: GateAudit | undefined;
}

/**
 * The gate of a remote host (R5, R6): the head first, then the token, and only a token that was refused is counted.
 * So a valid one passes whatever others did from its address.
 */
export function remoteGate({ place, verifier, trusted, clock, audit }: RemoteGateOptions): HttpGate {
  const throttle = new FailureThrottle();
  const note = gateAudit(audit);
  const addressOf = (head: RequestHead | undefined, peer: string | undefined): string | undefined =>
    callerAddress(peer, {
      forwarded: head === undefined ? [] : headerValues(head, "x-forwarded-for"),
      trusted,
    });

  const refuseToken = (refusal: TokenRefusal, head: RequestHead, peer: string | undefined): GateAnswer => {
    const { turnedAway, counts } = judgeTokenRefusal(refusal, place);
    if (!counts) return turnedAway;
    const key = throttleKey(addressOf(head, peer));
    const retryAfterS = throttle.fail(key, clock.monotonicMs());
    return retryAfterS === 0 ? turnedAway : throttled(retryAfterS);
  };

  const verify = async (
    token: string,
    {
      head,
      peer,
      signal,
    }: { readonly head: RequestHead; readonly peer: string | undefined; readonly signal: AbortSignal },
  ): Promise<GateAnswer> => {
    let verified;
    try {
      verified = await verifier.verify(token, { signal });
    } catch {
      signal.throwIfAborted();
      return VERIFIER_FAILED;
    }
    if (!verified.ok) return refuseToken(verified.refusal, head, peer);
    const refusal = judgeVerified(verified.value, { place, nowMs: clock.nowMs() });
    if (refusal !== undefined) return refuseToken(refusal, head, peer);
    if (head.method !== "POST") return NOT_POST;
    const { issuer, subject, clientId, expiresAtMs } = verified.value;
    return {
      kind: "admitted",
      caller: JSON.stringify([issuer, subject, clientId]),
      isOneOfMany: true,
      expired: (options) => untilExpired(expiresAtMs, { clock, ...options }),
    };
  };

  return {
    judge: (head, { peer, signal }) => {
      const verdict = judgeRemoteHead(head, place);
      switch (verdict.kind) {
        case "turned-away":
          return verdict;
        case "metadata":
          return { kind: "document", json: place.metadata };
        case "refused-token":
          return refuseToken(verdict.refusal, head, peer);
        case "verify":
          return verify(verdict.token, { head, peer, signal });
      }
    },
    turnedAway: (reason, { peer, head }) => note(reason, addressOf(head, peer)),
  };
}

/** A token that was let in ends when it would not be let in any more. */
async function untilExpired(
  expiresAtMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const leftMs = expiresAtMs + TOKEN_SKEW_MS - clock.nowMs();
    if (leftMs <= 0) return;
    await clock.wait(Math.min(leftMs, LONGEST_WAIT_MS), { signal });
  }
}
