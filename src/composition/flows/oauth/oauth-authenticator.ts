import type { BearerChallenge } from "../../../domain/oauth/challenge.ts";
import type { Credential } from "../../../domain/oauth/credential.ts";
import { freshnessOf } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { unionScopes } from "../../../domain/oauth/scopes.ts";
import { isSameIssuer } from "../../../domain/oauth/server-metadata.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { Authenticator, Authorization, Rejection } from "../../../ports/authenticator.ts";
import { refuseAuth, storeFault } from "./auth-refusals.ts";
import { waitFor } from "./bounded-exchange.ts";
import { readResourceMetadata } from "./discover-authorization.ts";
import { credentialKeyOf, type OauthPorts, type OauthServer } from "./oauth-server.ts";
import { createRenewal, type RenewalPorts } from "./renew-credential.ts";
import { createStepUps, type StepUps } from "./step-ups.ts";

export interface OauthAuthenticatorOptions {
  readonly server: OauthServer;
  readonly ports: Omit<OauthPorts, "audit">;
}

/** The store is asked again after this long, so that a sign-out elsewhere is heard of. */
const REMEMBERED_MS = 1_000;

interface Context {
  readonly server: OauthServer;
  readonly ports: RenewalPorts;
  readonly renew: (seen: Credential) => Promise<Outcome<Credential, AuthFault>>;
  /** `anew`: not out of memory, and not into it. Answers only a record that this server may use. */
  readonly load: (signal: AbortSignal, how?: "anew") => Promise<Outcome<Credential, AuthFault>>;
  readonly stepUps: StepUps;
}

/**
 * Creates the authenticator of one server (U1, U2, U8, U10): it supplies the stored token, renews it before it
 * ends or when it is refused, once among all callers and processes, and never asks a person. It refuses with
 * `sign-in-required`, `step-up-required` (with the scopes), `step-up-limit`, `rejected`, `refresh-impossible`,
 * `grant-refused`, `invalid-client`, `token-refused`, `token-response-invalid`, `endpoint-insecure`,
 * `lock-timeout`, `store-failed`, `store-unavailable` or `unreachable`.
 */
export function createOAuthAuthenticator({ server, ports }: OauthAuthenticatorOptions): Authenticator {
  const context: Context = {
    server,
    ports,
    renew: createRenewal(ports),
    load: createLoad(server, ports),
    stepUps: createStepUps(ports.clock),
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

function createLoad(server: OauthServer, ports: RenewalPorts): Context["load"] {
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
  { load, renew, ports }: Context,
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
  await forget(load, signal);
  return isEndOfSignIn(renewed.refusal) ? refuse({ reason: "sign-in-required" }) : renewed;
}

/** Whether the store has dropped, or never had, what would be supplied. */
function isFinal({ reason }: AuthFault): boolean {
  return reason === "grant-refused" || reason === "invalid-client" || reason === "sign-in-required";
}

/** Nothing to refresh with is no fault of the refresh: a person is needed. */
function isEndOfSignIn({ reason }: AuthFault): boolean {
  return reason === "refresh-impossible";
}

async function forget(load: Context["load"], signal: AbortSignal): Promise<void> {
  await load(signal, "anew");
}

function supply({ tokens, generation }: Credential): Outcome<Authorization, AuthFault> {
  if (tokens === undefined) return refuse({ reason: "sign-in-required" });
  return accept({ headers: [["authorization", tokens.accessToken.withPrefix("Bearer ")]], generation });
}

interface Refused {
  readonly rejection: Rejection;
  readonly signal: AbortSignal;
}

async function onUnauthorized(
  { load, renew, server, ports }: Context,
  { rejection, signal }: Refused,
): Promise<Outcome<"retry", AuthFault>> {
  const loaded = await load(signal, "anew");
  if (!loaded.ok) return loaded;
  const credential = loaded.value;
  const { challenge } = rejection;
  const asked = unionScopes(credential.tokens?.scopes ?? [], challenge?.scopes ?? []);
  const signInAgain: AuthFault = { reason: "sign-in-required", ...(asked.length > 0 && { scopes: asked }) };
  // Somebody was faster: what was refused is not what there is now.
  if (credential.generation !== rejection.generation && isUsable(credential, ports)) return accept("retry");
  if (await hasMoved(credential, { server, ports, challenge, signal })) return refuse(signInAgain);
  const renewed = await waitFor(renew(credential), signal);
  await forget(load, signal);
  if (renewed.ok) return accept("retry");
  return isEndOfSignIn(renewed.refusal) ? refuse(signInAgain) : renewed;
}

function isUsable({ tokens }: Credential, { clock }: RenewalPorts): boolean {
  return tokens !== undefined && freshnessOf(tokens, clock.nowMs()) !== "expired";
}

/**
 * Whether the server now names another issuer. The old one's refresh would bring what the server no longer
 * takes, and the new one hears of nothing that the old one gave: a person has to sign in there.
 */
async function hasMoved(
  { issuer }: Credential,
  context: {
    readonly server: OauthServer;
    readonly ports: RenewalPorts;
    readonly challenge: BearerChallenge | undefined;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const { server, ports, challenge, signal } = context;
  if (server.expectedIssuer !== undefined) return false;
  const described = await readResourceMetadata(server, {
    challengeLink: challenge?.resourceMetadata,
    ports,
    signal,
  });
  if (!described.ok) return false;
  return !described.value.authorizationServers.some((listed) => isSameIssuer(listed, issuer));
}

/** Not enough scope is a person's matter: a refresh would bring the old ones again (U8). */
async function onForbidden(
  { load, stepUps }: Context,
  { rejection, signal }: Refused,
): Promise<Outcome<"retry", AuthFault>> {
  const { challenge, generation } = rejection;
  if (challenge?.error !== "insufficient_scope") return refuse({ reason: "rejected", status: 403 });
  const loaded = await load(signal, "anew");
  if (!loaded.ok) return loaded;
  if (!stepUps.allow(challenge.scopes, generation)) {
    return refuse({ reason: "step-up-limit", scopes: challenge.scopes });
  }
  const scopes = unionScopes(loaded.value.tokens?.scopes ?? [], challenge.scopes);
  return refuse({ reason: "step-up-required", scopes });
}
