import { signInEvent } from "../../../domain/activation/audit-event.ts";
import type { Credential, CredentialKey } from "../../../domain/oauth/credential.ts";
import type { AuthFault, AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { Secret } from "../../../domain/secret.ts";
import type { RevocationRequest } from "../../../ports/authorization-server.ts";
import { refuseAuth, storeFault } from "./auth-refusals.ts";
import { boundedExchange, uncut } from "./bounded-exchange.ts";
import type { OauthPorts } from "./oauth-server.ts";

/** U11: `unsupported`, the issuer has no place for it; `not-attempted`, there was no token to revoke. */
export type Revocation = "revoked" | "partial" | "unsupported" | "failed" | "not-attempted";

export interface LogoutOptions {
  /** Of the server ({@link credentialKeyOf}). */
  readonly key: CredentialKey;
  readonly ports: OauthPorts;
  readonly signal: AbortSignal;
}

/** A refresh under way gets this long to come to its end; it checks by itself whether it may still write. */
const LOCK_WAIT_MS = 5_000;

/**
 * Signs out (U11): removes the record, and only then asks the recorded issuer to revoke the refresh and the
 * access token, so that no outage there can undo it. A record that cannot be read is removed as well. Refuses
 * with `store-failed` or `store-unavailable` when the record could not be removed.
 */
export async function runMcpOAuthLogout({
  key,
  ports,
  signal,
}: LogoutOptions): Promise<Outcome<{ readonly revocation: Revocation }, AuthRefusal>> {
  signal.throwIfAborted();
  const taken = await take(key, ports);
  if (!taken.ok) return refuseAuth(key, taken.refusal);
  const revocation = await revoke(taken.value, { ports, signal });
  const atMs = ports.clock.nowMs();
  await ports.audit.append(signInEvent({ ...key, action: "sign-out", atMs, reason: revocation }));
  return accept({ revocation });
}

type Taken = Outcome<Credential | undefined, AuthFault>;

async function take(key: CredentialKey, ports: OauthPorts): Promise<Taken> {
  const remove = async (): Promise<Taken> => {
    const signal = uncut();
    const read = await ports.store.get(key, { signal });
    const gone = await ports.store.delete(key, { signal });
    if (!gone.ok) return refuse(storeFault(gone.refusal));
    return accept(read.ok ? read.value : undefined);
  };
  const held = await ports.lock.hold(key, remove, { signal: uncut(), waitMs: LOCK_WAIT_MS });
  return held.ok ? held.value : remove();
}

async function revoke(
  credential: Credential | undefined,
  { ports, signal }: Pick<LogoutOptions, "ports" | "signal">,
): Promise<Revocation> {
  if (credential?.tokens === undefined) return "not-attempted";
  const { issuer, client, revocationEndpoint, tokens } = credential;
  if (revocationEndpoint === undefined) return "unsupported";
  const send = async (token: Secret, hint: RevocationRequest["hint"]): Promise<boolean> => {
    const answer = await boundedExchange(
      (inner) =>
        ports.authorizationServer.revoke(
          { issuer, revocationEndpoint, client, token, hint },
          { signal: inner },
        ),
      { clock: ports.clock, signal },
    );
    return answer.ok;
  };
  // The refresh token first: with it alone, new access tokens could be had.
  const done: boolean[] = [];
  if (tokens.refreshToken !== undefined) done.push(await send(tokens.refreshToken, "refresh_token"));
  done.push(await send(tokens.accessToken, "access_token"));
  if (done.every((one) => one)) return "revoked";
  return done.some((one) => one) ? "partial" : "failed";
}
