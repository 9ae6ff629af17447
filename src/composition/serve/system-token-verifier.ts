import { createSystemResolver } from "../../adapters/node-dns/resolver.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import type { AccessTokenVerifier } from "../../ports/access-token-verifier.ts";
import { createAccessTokenVerifier, type AccessTokenVerifierOptions } from "../access-token-verifier.ts";
import { createUndiciEgress } from "../host/lazy-egress.ts";

export interface SystemTokenVerifierOptions extends Omit<
  AccessTokenVerifierOptions,
  "egress" | "policy" | "clock"
> {
  /** Exact `host:port` destinations of the issuer that may be private (E5). Default: none. */
  readonly allowDestinations?: readonly string[];
}

export interface SystemTokenVerifier extends AccessTokenVerifier {
  /** Ends a question to the issuer that is under way, and releases its sockets. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates an access token verifier (R9) with the clock of this machine and an egress of its own (E1–E8). Throws like
 * `createAccessTokenVerifier`. Opens nothing before the first token.
 */
export function createSystemAccessTokenVerifier(options: SystemTokenVerifierOptions): SystemTokenVerifier {
  const { allowDestinations = [], ...rest } = options;
  const clock = createSystemClock();
  const policy = { allowDestinations: [...allowDestinations] };
  const egress = createUndiciEgress({ resolver: createSystemResolver(), policy, clock });
  const verifier = createAccessTokenVerifier({ ...rest, egress, policy, clock });
  return {
    verify: (token, call) => verifier.verify(token, call),
    close: () => egress.close(),
    [Symbol.asyncDispose]: () => egress.close(),
  };
}
