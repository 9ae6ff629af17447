import type { Credential } from "../../../domain/oauth/credential.ts";
import { freshnessOf, isRefreshable } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { tokensOf, type TokenAnswer } from "../../../domain/oauth/token-response.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { AuthorizationServerFailure } from "../../../ports/authorization-server.ts";
import type { RefreshLease } from "../../../ports/refresh-lock.ts";
import { failureFault, lockFault, storeFault } from "./auth-refusals.ts";
import { boundedExchange, uncut } from "./bounded-exchange.ts";
import type { OauthPorts } from "./oauth-server.ts";
import { LOCK_WAIT_MS, nextGeneration } from "./save-credential.ts";

export type RenewalPorts = Pick<OauthPorts, "authorizationServer" | "store" | "lock" | "clock" | "random">;

type Renewed = Outcome<Credential, AuthFault>;
/** `unwritten`: a write that waits for the lock again, whose holder was suspended and lost it. */
type Ending = { readonly renewed: Renewed } | { readonly unwritten: Change };
interface Change {
  /** The generation that the change was made from: only that one may be replaced. */
  readonly base: string;
  readonly next: Credential;
  /** What to answer once it is written. */
  readonly answer: Renewed;
}

/**
 * Makes the one refresher of a server's credential (U10). All callers of this process share one refresh, all
 * processes one lock: a rotated token that is seen twice ends the whole family. It is never cut: what was
 * spent is saved before anybody sees it.
 */
export function createRenewal(ports: RenewalPorts): (seen: Credential) => Promise<Renewed> {
  let running: Promise<Renewed> | undefined;
  return (seen) => {
    running ??= renew(seen, ports).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function renew(seen: Credential, ports: RenewalPorts): Promise<Renewed> {
  const done = await underLock(seen, ports, (lease) => spend(seen, { lease, ports }));
  if ("renewed" in done) return done.renewed;
  // The token is spent already, so the answer may be the family's last one: it is not thrown away, but
  // it waits for its turn, and gives way to whatever was written meanwhile.
  const again = await underLock(seen, ports, (lease) => write(done.unwritten, { lease, ports }));
  return "renewed" in again ? again.renewed : refuse({ reason: "lock-timeout" });
}

async function underLock(
  { key }: Credential,
  { lock }: RenewalPorts,
  work: (lease: RefreshLease) => Promise<Ending>,
): Promise<Ending> {
  const held = await lock.hold(key, work, { signal: uncut(), waitMs: LOCK_WAIT_MS });
  return held.ok ? held.value : ended(refuse(lockFault(held.refusal)));
}

function ended(renewed: Renewed): Ending {
  return { renewed };
}

interface Held {
  readonly lease: RefreshLease;
  readonly ports: RenewalPorts;
}

async function spend(seen: Credential, held: Held): Promise<Ending> {
  const { ports } = held;
  const read = await ports.store.get(seen.key, { signal: uncut() });
  if (!read.ok) return ended(refuse(storeFault(read.refusal)));
  const stored = read.value;
  if (stored === undefined) return ended(refuse({ reason: "sign-in-required" }));
  if (stored.generation !== seen.generation && isUsable(stored, ports)) return ended(accept(stored));
  if (!isRefreshable(stored)) return ended(refuse({ reason: "refresh-impossible" }));
  const answer = await requestTokens(stored, ports);
  if (!answer.ok) return afterRefusal(stored, { ...held, failure: answer.refusal });
  const next: Credential = {
    ...stored,
    tokens: tokensOf(answer.value, {
      nowMs: ports.clock.nowMs(),
      askedScopes: stored.tokens?.scopes ?? [],
      previous: stored.tokens,
    }),
    generation: nextGeneration(ports),
  };
  return write({ base: stored.generation, next, answer: accept(next) }, held);
}

function requestTokens(
  stored: Credential,
  { authorizationServer, clock }: RenewalPorts,
): Promise<Outcome<TokenAnswer, AuthorizationServerFailure>> {
  const { issuer, tokenEndpoint, client, resourceIndicator: resource, tokens } = stored;
  const context = { issuer, tokenEndpoint, client, resource };
  const refreshToken = tokens?.refreshToken;
  return boundedExchange(
    (signal) =>
      stored.grant === "client_credentials" || refreshToken === undefined
        ? authorizationServer.requestClientCredentials(
            { ...context, scopes: tokens?.scopes ?? [] },
            { signal },
          )
        : authorizationServer.refresh({ ...context, refreshToken }, { signal }),
    { clock, signal: uncut() },
  );
}

/** A refused token, and a forgotten client, are dropped, unless somebody put another in their place (U6, U10). */
async function afterRefusal(
  stored: Credential,
  held: Held & { readonly failure: AuthorizationServerFailure },
): Promise<Ending> {
  const fault = failureFault(held.failure, "token");
  const answer = refuse(fault);
  // Without a person to sign in again, the client is all that an unattended host has.
  if (stored.grant === "client_credentials") return ended(answer);
  if (fault.reason !== "grant-refused" && fault.reason !== "invalid-client") return ended(answer);
  const { tokens: _, ...rest } = stored;
  const forgotten = fault.reason === "invalid-client" && stored.client.origin === "dynamic";
  const next: Credential = {
    ...rest,
    // No redirect URI is covered: this registration is never used again.
    ...(forgotten && { client: { ...stored.client, redirectUris: [] } }),
    generation: nextGeneration(held.ports),
  };
  return write({ base: stored.generation, next, answer }, held);
}

/** Compares, asks whether the lock is still ours, and writes over what was compared with (U10). */
async function write(change: Change, { lease, ports }: Held): Promise<Ending> {
  const signal = uncut();
  const { base, next, answer } = change;
  const read = await ports.store.get(next.key, { signal });
  if (!read.ok) return ended(refuse(storeFault(read.refusal)));
  if (read.value?.generation !== base) return ended(giveWay(read.value, ports));
  if (!(await lease.stillHeld())) return { unwritten: change };
  const saved = await ports.store.set(next, { signal, ifGeneration: base });
  if (saved.ok) return ended(answer);
  if (saved.refusal.reason !== "store-changed") return ended(refuse(storeFault(saved.refusal)));
  const other = await ports.store.get(next.key, { signal });
  return ended(other.ok ? giveWay(other.value, ports) : refuse(storeFault(other.refusal)));
}

/** What another wrote meanwhile stands. Signed out meanwhile: nothing brings the record back. */
function giveWay(other: Credential | undefined, ports: RenewalPorts): Renewed {
  return other !== undefined && isUsable(other, ports)
    ? accept(other)
    : refuse({ reason: "sign-in-required" });
}

function isUsable({ tokens }: Credential, { clock }: RenewalPorts): boolean {
  return tokens !== undefined && freshnessOf(tokens, clock.nowMs()) === "fresh";
}
