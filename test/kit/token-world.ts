import { createAccessTokenVerifier } from "../../src/composition/access-token-verifier.ts";
import type { AccessTokenVerifierOptions } from "../../src/composition/access-token-verifier.ts";
import type { AccessTokenVerifier } from "../../src/ports/access-token-verifier.ts";
import { makeKey, signToken, type KeyKind, type TestKey } from "./access-tokens.ts";
import { FakeClock } from "./fake-clock.ts";
import { ISSUER, TestIssuer } from "./issuer-documents.ts";

export const RESOURCE = "https://mcp.example/mcp";

export interface TokenWorld {
  readonly issuer: TestIssuer;
  readonly clock: FakeClock;
  readonly key: TestKey;
  readonly verifier: AccessTokenVerifier;
  /** A token that opens the resource, but for what is changed. */
  token(change?: { readonly header?: object; readonly claims?: object; readonly key?: TestKey }): string;
  /** `ok`, or the reason. */
  verdict(token: string): Promise<string>;
}

/** A verifier with a fake issuer and a fake clock; the issuer publishes one key, `one`. */
export function tokenWorld(
  options: Partial<AccessTokenVerifierOptions> & { readonly kind?: KeyKind } = {},
): TokenWorld {
  const { kind = "ES256", ...rest } = options;
  const issuer = new TestIssuer();
  const clock = new FakeClock();
  const key = makeKey(kind, { kid: "one", use: "sig" });
  issuer.publish(key.jwk);
  const verifier = createAccessTokenVerifier({
    issuer: ISSUER,
    resource: RESOURCE,
    algorithms: [kind],
    requiredScopes: ["mcp:use"],
    allowedSubjects: ["alice"],
    egress: issuer.egress,
    clock,
    ...rest,
  });
  return {
    issuer,
    clock,
    key,
    verifier,
    token: (change = {}) =>
      signToken(
        {
          header: { alg: kind, typ: "at+jwt", kid: "one", ...change.header },
          claims: { ...claimsAt(clock.nowMs()), ...change.claims },
        },
        change.key ?? key,
      ),
    verdict: async (token) => {
      const outcome = await verifier.verify(token, { signal: new AbortController().signal });
      return outcome.ok ? "ok" : outcome.refusal.reason;
    },
  };
}

export function claimsAt(nowMs: number): Readonly<Record<string, unknown>> {
  const now = Math.floor(nowMs / 1_000);
  return {
    iss: ISSUER,
    aud: RESOURCE,
    sub: "alice",
    client_id: "agent",
    jti: "1",
    iat: now,
    exp: now + 3_600,
    scope: "mcp:use other",
  };
}
