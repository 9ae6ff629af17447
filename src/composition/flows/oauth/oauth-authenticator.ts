import type { Credential } from "../../../domain/oauth/credential.ts";
import { freshnessOf } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { isSameIssuer } from "../../../domain/oauth/server-metadata.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { Authenticator, Authorization } from "../../../ports/authenticator.ts";
import { refuseAuth, storeFault } from "./auth-refusals.ts";
import { waitFor } from "./bounded-exchange.ts";
import { credentialKeyOf, type OauthPorts, type OauthServer } from "./oauth-server.ts";
import { createRenewal, type RenewalPorts } from "./renew-credential.ts";
import { createAnswers, onForbidden, onUnauthorized, type RejectionContext } from "./answer-rejection.ts";
import { createStepUps } from "./step-ups.ts";

export interface OauthAuthenticatorOptions {
  readonly server: OauthServer;
  readonly ports: Omit<OauthPorts, "audit">;
}

/** The store is asked again after this long, so that a sign-out elsewhere is heard of. */
const REMEMBERED_MS = 1_000;

/**
 * Creates the authenticator of one server (U1, U2, U8, U10): it supplies the stored token, renews it before it
 * ends or when it is refused, once among all callers and processes, and never asks a person. It refuses with
 * `sign-in-required`, `step-up-required` (with the scopes), `step-up-limit`, `rejected`, `refresh-impossible`,
 * `grant-refused`, `invalid-client`, `token-refused`, `token-response-invalid`, `endpoint-insecure`,
 * `lock-timeout`, `store-failed`, `store-unavailable` or `unreachable`.
 */
export function createOAuthAuthenticator({ server, ports }: OauthAuthenticatorOptions): Authenticator {
  const context: RejectionContext = {
    server,
    ports,
    renew: createRenewal(ports),
    load: createLoad(server, ports),
    stepUps: createStepUps(ports.clock),
    answers: createAnswers(ports.clock),
  };
  return {
    securityIdentity: server.securityIdentity,
    authorize: async ({ signal }) => {
      signal.throwIfAborted();
      const authorized = await authorize(context, signal);
      return authorized.ok ? authorized : refuseAuth(server, authorized.refusal);
    },
    onRejected: async (rejection, { signal }) => {
      signal.throwIfAborted();
      const answer =
        rejection.status === 401
          ? await onUnauthorized(context, { rejection, signal })
          : await onForbidden(context, { rejection, signal });
      return answer.ok ? answer : refuseAuth(server, answer.refusal);
    },
  };
}

function createLoad(server: OauthServer, ports: RenewalPorts): RejectionContext["load"] {
  const key = credentialKeyOf(server);
  let remembered: { readonly credential: Credential; readonly atMs: number } | undefined;
  return async (signal, how) => {
    const nowMs = ports.clock.monotonicMs();
    if (how !== "anew" && remembered !== undefined && nowMs - remembered.atMs < REMEMBERED_MS) {
      return accept(remembered.credential);
    }
    remembered = undefined;
    const read = await ports.store.get(key, { signal });
    if (!read.ok) return refuse(storeFault(read.refusal));
    if (read.value === undefined || !isOurs(read.value, server)) {
      return refuse({ reason: "sign-in-required" });
    }
    // Who looks anew was refused, or knows of a change: a sign-in may follow at once, and must be seen.
    if (how !== "anew") remembered = { credential: read.value, atMs: nowMs };
    return accept(read.value);
  };
}

/** U9: issuer and client id are checked on use; another client's tokens are not this one's. */
export function isOurs(credential: Credential, { settings, expectedIssuer }: OauthServer): boolean {
  if (expectedIssuer !== undefined && !isSameIssuer(credential.issuer, expectedIssuer)) return false;
  return settings.clientId === undefined || settings.clientId === credential.client.clientId;
}

async function authorize(
  { load, renew, ports }: RejectionContext,
  signal: AbortSignal,
): Promise<Outcome<Authorization, AuthFault>> {
  const loaded = await load(signal);
  if (!loaded.ok) return loaded;
  const { tokens, grant } = loaded.value;
  if (tokens === undefined && grant !== "client_credentials") return refuse({ reason: "sign-in-required" });
  const freshness = tokens === undefined ? "expired" : freshnessOf(tokens, ports.clock.nowMs());
  if (freshness === "fresh") return supply(loaded.value);
  const renewed = await waitFor(renew(loaded.value), signal);
  if (renewed.ok) {
    await load(signal, "anew");
    return supply(renewed.value);
  }
  // Near its end, and still good: a server that is down for a moment stops nobody yet.
  if (freshness === "early" && !isFinal(renewed.refusal)) return supply(loaded.value);
  await load(signal, "anew");
  return renewed.refusal.reason === "refresh-impossible" ? refuse({ reason: "sign-in-required" }) : renewed;
}

/** Whether the store has dropped, or never had, what would be supplied. */
function isFinal({ reason }: AuthFault): boolean {
  return reason === "grant-refused" || reason === "invalid-client" || reason === "sign-in-required";
}

function supply({ tokens, generation }: Credential): Outcome<Authorization, AuthFault> {
  if (tokens === undefined) return refuse({ reason: "sign-in-required" });
  return accept({ headers: [["authorization", tokens.accessToken.withPrefix("Bearer ")]], generation });
}
