import type { BearerChallenge } from "../../../domain/oauth/challenge.ts";
import type { Credential } from "../../../domain/oauth/credential.ts";
import { freshnessOf } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { unionScopes } from "../../../domain/oauth/scopes.ts";
import { isSameIssuer } from "../../../domain/oauth/server-metadata.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { Rejection } from "../../../ports/authenticator.ts";
import type { Clock } from "../../../ports/clock.ts";
import { waitFor } from "./bounded-exchange.ts";
import type { CredentialMemory } from "./credential-memory.ts";
import { readResourceMetadata } from "./discover-authorization.ts";
import type { OauthServer } from "./oauth-server.ts";
import type { RenewalPorts } from "./renew-credential.ts";
import type { StepUps } from "./step-ups.ts";

/** What the answers to a refusal share with the supply of tokens. */
export interface RejectionContext {
  readonly server: OauthServer;
  readonly ports: RenewalPorts;
  readonly renew: (seen: Credential) => Promise<Outcome<Credential, AuthFault>>;
  readonly memory: CredentialMemory;
  readonly stepUps: StepUps;
  readonly answers: Answers;
}

/** A token that a refusal brought, and that is refused itself, brings no other one for this long. */
const PATIENCE_MS = 60_000;

/** Remembers the token that was had for a refused one: a server that takes none must not make a storm of them. */
export interface Answers {
  note(generation: string): void;
  isRefusedAgain(generation: string): boolean;
}

export function createAnswers(clock: Clock): Answers {
  let last: { readonly generation: string; readonly atMs: number } | undefined;
  return {
    note: (generation) => {
      last = { generation, atMs: clock.monotonicMs() };
    },
    isRefusedAgain: (generation) =>
      last?.generation === generation && clock.monotonicMs() - last.atMs < PATIENCE_MS,
  };
}

/** One refusal to answer. */
export interface Refused {
  readonly rejection: Rejection;
  readonly signal: AbortSignal;
}

/** After a 401: the token that is there by now, else one renewal, else a person (U2, U10). */
export async function onUnauthorized(
  { memory, renew, server, ports, answers }: RejectionContext,
  { rejection, signal }: Refused,
): Promise<Outcome<"retry", AuthFault>> {
  const loaded = await memory.reload(signal);
  if (!loaded.ok) return loaded;
  const credential = loaded.value;
  const { challenge } = rejection;
  const asked = unionScopes(credential.tokens?.scopes ?? [], challenge?.scopes ?? []);
  const signInAgain: AuthFault = { reason: "sign-in-required", ...(asked.length > 0 && { scopes: asked }) };
  // Somebody was faster: what was refused is not what there is now.
  if (credential.generation !== rejection.generation && isUsable(credential, ports)) return accept("retry");
  if (answers.isRefusedAgain(rejection.generation)) return refuse({ reason: "rejected", status: 401 });
  if (await hasMoved(credential, { server, ports, challenge, signal })) return refuse(signInAgain);
  const renewed = await waitFor(renew(credential), signal);
  memory.forget();
  if (renewed.ok) {
    answers.note(renewed.value.generation);
    return accept("retry");
  }
  return renewed.refusal.reason === "refresh-impossible" ? refuse(signInAgain) : renewed;
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
export async function onForbidden(
  { memory, stepUps }: RejectionContext,
  { rejection, signal }: Refused,
): Promise<Outcome<"retry", AuthFault>> {
  const { challenge, generation } = rejection;
  if (challenge?.error !== "insufficient_scope") return refuse({ reason: "rejected", status: 403 });
  const loaded = await memory.reload(signal);
  if (!loaded.ok) return loaded;
  if (!stepUps.allow(challenge.scopes, generation)) {
    return refuse({ reason: "step-up-limit", scopes: challenge.scopes });
  }
  const scopes = unionScopes(loaded.value.tokens?.scopes ?? [], challenge.scopes);
  return refuse({ reason: "step-up-required", scopes });
}
