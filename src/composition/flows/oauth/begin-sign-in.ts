import type { BearerChallenge } from "../../../domain/oauth/challenge.ts";
import { parseBearerChallenge } from "../../../domain/oauth/challenge.ts";
import { authorizationUrl } from "../../../domain/oauth/authorization-url.ts";
import { toBase64Url } from "../../../domain/oauth/bytes-text.ts";
import { digestOfState } from "../../../domain/oauth/callback.ts";
import type { Credential, OauthClient } from "../../../domain/oauth/credential.ts";
import { SIGN_IN_LIMIT_MS, type PendingSignIn } from "../../../domain/oauth/pending-sign-in.ts";
import { makeProofKey } from "../../../domain/oauth/proof-key.ts";
import type { AuthFault, AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { checkRegistration } from "../../../domain/oauth/registration-answer.ts";
import { planClient, type ConfiguredClient } from "../../../domain/oauth/registration.ts";
import { selectScopes, unionScopes } from "../../../domain/oauth/scopes.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { failureFault, refuseAuth, storeFault } from "./auth-refusals.ts";
import { boundedExchange } from "./bounded-exchange.ts";
import { discoverAuthorization, type Discovery } from "./discover-authorization.ts";
import { credentialKeyOf, type OauthPorts, type OauthServer } from "./oauth-server.ts";
import { auditSignIn } from "./sign-in-audit.ts";

export interface SignInOptions {
  readonly server: OauthServer;
  readonly ports: OauthPorts;
  /** What the server said when it refused. Absent: it is asked once, without credentials. */
  readonly challenge?: BearerChallenge | undefined;
  /** Of a `step-up-required` refusal: asked for together with what was granted before (U8). */
  readonly stepUpScopes?: readonly string[];
  /** A person's own choice, in the place of every other list. */
  readonly scopes?: readonly string[];
  /** A client registered by hand; its id stands above the definition's. */
  readonly client?: ConfiguredClient | undefined;
  /** How long the redirect is waited for, in milliseconds. Default 5 minutes. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

export interface BegunSignIn {
  /** For the browser. Holds no secret but the state, which is worth nothing without the pending part. */
  readonly authorizationUrl: string;
  readonly pending: PendingSignIn;
}

/**
 * Begins a sign-in (U5–U8): discovers, chooses or registers the client, and makes the page's URL. Nothing is
 * stored. Refuses with the reasons of discovery and client identity, `store-failed`, `store-unavailable` or
 * `unreachable`.
 */
export async function beginSignIn(
  options: SignInOptions & { readonly redirectUri: string },
): Promise<Outcome<BegunSignIn, AuthRefusal>> {
  const begun = await begin(options);
  if (begun.ok) return begun;
  const refused = refuseAuth(options.server, begun.refusal);
  await auditSignIn(options.server, refused, options.ports);
  return refused;
}

async function begin(
  options: SignInOptions & { readonly redirectUri: string },
): Promise<Outcome<BegunSignIn, AuthFault>> {
  const { server, ports, signal } = options;
  const stored = await ports.store.get(credentialKeyOf(server), { signal });
  if (!stored.ok) return refuse(storeFault(stored.refusal));
  const challenge = await askChallenge(options);
  if (!challenge.ok) return challenge;
  const challengeLink = challenge.value?.resourceMetadata;
  const found = await discoverAuthorization(server, {
    challengeLink,
    ports,
    signal,
    grant: "authorization_code",
  });
  if (!found.ok) return found;
  const client = await chooseClient(options, { discovery: found.value, stored: stored.value });
  if (!client.ok) return client;
  return accept(
    prepare(options, {
      ...client.value,
      discovery: found.value,
      scopes: scopesOf(options, {
        challenge: challenge.value,
        discovery: found.value,
        stored: stored.value,
      }),
    }),
  );
}

/** The challenge at hand, or the one that the server answers when it is asked without credentials. */
export async function askChallenge({
  challenge,
  server,
  ports,
  signal,
}: Pick<SignInOptions, "challenge" | "server" | "ports" | "signal">): Promise<
  Outcome<BearerChallenge | undefined, AuthFault>
> {
  if (challenge !== undefined) return accept(challenge);
  const asked = await boundedExchange(
    (inner) => ports.authorizationServer.fetchChallenge(server.url, { signal: inner }),
    { clock: ports.clock, signal },
  );
  if (asked.ok) return accept(parseBearerChallenge(asked.value));
  // What the server answers besides a challenge says nothing about where its metadata is.
  if (asked.refusal.reason === "absent" || asked.refusal.reason === "invalid") return accept(undefined);
  return refuse(failureFault(asked.refusal, "resource-metadata"));
}

function scopesOf(
  options: SignInOptions,
  known: {
    readonly challenge: BearerChallenge | undefined;
    readonly discovery: Discovery;
    readonly stored: Credential | undefined;
  },
): readonly string[] {
  if (options.scopes !== undefined) return unionScopes(options.scopes, options.stepUpScopes ?? []);
  return selectScopes({
    challenge: known.challenge?.scopes ?? [],
    configured: options.server.settings.scopes,
    supported: known.discovery.scopesSupported,
    serverScopes: known.discovery.metadata.scopesSupported,
    before: known.stored?.tokens?.scopes ?? [],
    stepUp: options.stepUpScopes ?? [],
  });
}

async function chooseClient(
  options: SignInOptions & { readonly redirectUri: string },
  known: { readonly discovery: Discovery; readonly stored: Credential | undefined },
): Promise<Outcome<{ readonly client: OauthClient; readonly reused: boolean }, AuthFault>> {
  const { server, ports, signal, redirectUri } = options;
  const clientId = server.settings.clientId;
  const plan = planClient({
    metadata: known.discovery.metadata,
    configured: options.client ?? (clientId === undefined ? undefined : { clientId }),
    clientMetadataUrl: server.settings.clientMetadataUrl ?? server.clientMetadataUrl,
    stored: known.stored,
    redirectUri,
    nowMs: ports.clock.nowMs(),
  });
  if (!plan.ok) return plan;
  if (plan.value.how === "use") return accept(plan.value);
  const { request } = plan.value;
  const answer = await boundedExchange(
    (inner) => ports.authorizationServer.register(request, { signal: inner }),
    { clock: ports.clock, signal },
  );
  if (!answer.ok) return refuse(failureFault(answer.refusal, "registration"));
  const client = checkRegistration(answer.value, request);
  return client.ok ? accept({ client: client.value, reused: false }) : client;
}

function prepare(
  options: SignInOptions & { readonly redirectUri: string },
  chosen: {
    readonly client: OauthClient;
    readonly reused: boolean;
    readonly discovery: Discovery;
    readonly scopes: readonly string[];
  },
): BegunSignIn {
  const { server, ports, redirectUri, limitMs = SIGN_IN_LIMIT_MS } = options;
  const { metadata, resource } = chosen.discovery;
  const state = toBase64Url(ports.random.bytes(32));
  const { verifier, challenge } = makeProofKey(ports.random.bytes(32));
  const asked = {
    ...(server.omitResource !== true && { resourceIndicator: resource }),
    scopes: chosen.scopes,
  };
  return {
    authorizationUrl: authorizationUrl({
      endpoint: metadata.authorizationEndpoint ?? "",
      clientId: chosen.client.clientId,
      redirectUri,
      state,
      challenge,
      ...asked,
    }),
    pending: {
      key: credentialKeyOf(server),
      issuer: metadata.issuer,
      promisesIssuer: metadata.promisesIssuer,
      redirectUri,
      stateDigest: digestOfState(state),
      tokenEndpoint: metadata.tokenEndpoint,
      ...(metadata.revocationEndpoint !== undefined && { revocationEndpoint: metadata.revocationEndpoint }),
      client: chosen.client,
      reusedClient: chosen.reused,
      ...asked,
      verifier,
      expiresAtMs: ports.clock.nowMs() + limitMs,
    },
  };
}
