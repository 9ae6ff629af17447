import type { EgressPolicy } from "../domain/egress/target.ts";
import { TOKEN_ALGORITHMS, type TokenAlgorithm } from "../domain/gate/access-token.ts";
import { canonicalResource } from "../domain/oauth/canonical-url.ts";
import { isSecureEndpoint } from "../domain/oauth/endpoint.ts";
import { isScope } from "../domain/oauth/scopes.ts";
import type { AccessTokenVerifier } from "../ports/access-token-verifier.ts";
import type { Clock } from "../ports/clock.ts";
import type { Egress } from "../ports/egress.ts";
import type { TokenSignature } from "../ports/token-signature.ts";
import { createIssuerKeys } from "./flows/issuer-keys.ts";
import { verifyAccessToken } from "./flows/verify-access-token.ts";

export interface AccessTokenVerifierOptions {
  /** Exactly as the issuer's metadata and tokens write it. https, or http to literal loopback. */
  readonly issuer: string;
  /** The URL of what is served: tokens have to be for its canonical form, exactly. */
  readonly resource: string;
  /** What may have signed a token. One at least, and none symmetric. */
  readonly algorithms: readonly TokenAlgorithm[];
  /** Every one of them has to be in a token. One at least. */
  readonly requiredScopes: readonly string[];
  /** `sub` of who may come in. A token that is in either list is let in; one list at least has a name in it. */
  readonly allowedSubjects?: readonly string[];
  /** `client_id` of which clients may come in, whoever uses them. */
  readonly allowedClients?: readonly string[];
  /** Where every question to the issuer leaves through. */
  readonly egress: Egress;
  /** The egress' own policy. Default: no destination is allowed that is not public, or literal loopback. */
  readonly policy?: EgressPolicy;
  readonly clock: Clock;
}

/**
 * Creates what decides whether a bearer token opens this resource (R9): RFC 9068 tokens of one issuer, by the keys
 * it publishes. Nothing is contacted before the first token. Throws a `TypeError` with a code for options that would
 * let in anybody or nobody: `issuer-insecure`, `resource-invalid`, `algorithm-unknown`, `scope-missing`,
 * `principal-missing`.
 */
export function createAccessTokenVerifier(options: AccessTokenVerifierOptions): AccessTokenVerifier {
  const { issuer, egress, clock, policy = { allowDestinations: [] } } = options;
  const resource = canonicalResource(options.resource);
  const algorithms = options.algorithms.map((name) => TOKEN_ALGORITHMS.find((known) => known === name));
  const scopes = [...options.requiredScopes];
  const subjects = [...(options.allowedSubjects ?? [])];
  const clients = [...(options.allowedClients ?? [])];
  if (!isSecureEndpoint(issuer) || issuer.includes("?")) throw misuse("issuer-insecure");
  if (resource === undefined) throw misuse("resource-invalid");
  if (algorithms.length === 0 || !algorithms.every((name) => name !== undefined)) {
    throw misuse("algorithm-unknown");
  }
  if (scopes.length === 0 || !scopes.every((scope) => isScope(scope))) throw misuse("scope-missing");
  if (![...subjects, ...clients].some((name) => name !== "")) throw misuse("principal-missing");

  const keys = createIssuerKeys({ issuer, egress, policy, clock });
  const signature = lazySignature();
  const allowed = { subjects, clients, scopes };
  return {
    verify: (token, { signal }) =>
      verifyAccessToken(token, { issuer, resource, algorithms, allowed, keys, signature, clock, signal }),
  };
}

/** The library comes with the first token that needs it. */
function lazySignature(): TokenSignature {
  let made: Promise<TokenSignature> | undefined;
  return {
    isGenuine: async (token, expected) => {
      made ??= import("../adapters/oauth4webapi/token-signature.ts").then((adapter) =>
        adapter.createTokenSignature(),
      );
      return (await made).isGenuine(token, expected);
    },
  };
}

function misuse(code: string): TypeError {
  return Object.assign(new TypeError(`an access token verifier cannot be built: ${code}`), { code });
}
