import { checkCallback } from "../../../domain/oauth/callback.ts";
import type { OauthClient } from "../../../domain/oauth/credential.ts";
import type { PendingSignIn } from "../../../domain/oauth/pending-sign-in.ts";
import type { AuthFault, AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { tokensOf } from "../../../domain/oauth/token-response.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { failureFault, refuseAuth } from "./auth-refusals.ts";
import { boundedExchange, uncut } from "./bounded-exchange.ts";
import type { OauthPorts } from "./oauth-server.ts";
import { dropClient, saveCredential } from "./save-credential.ts";
import { auditSignIn } from "./sign-in-audit.ts";

/** How a sign-in went well. Printable: of the URL, whose query may hold a secret, nothing is in it. */
export interface SignedIn {
  readonly serverId: string;
  readonly issuer: string;
  readonly client: OauthClient["origin"];
  readonly scopes: readonly string[];
  /** Absent: unknown. */
  readonly expiresAtMs?: number;
  /** The host opted out of `resource` for this server. */
  readonly resourceOmitted: boolean;
}

/** Of this process; what outlives it is used up by the one who keeps it. */
const used = new WeakSet<PendingSignIn>();

/**
 * Completes a sign-in with the URL that the browser was sent to (U7, U8b): checks it, redeems the code once
 * and stores what came. From the redemption on it is not cut. Refuses with `pending-expired`,
 * `pending-used`, the reasons of the redirect and of the token endpoint, or those of store and lock. A kept
 * registration that the server has forgotten is dropped (`invalid-client`): begin again.
 */
export async function completeSignIn(
  pending: PendingSignIn,
  options: { readonly redirectUrl: string; readonly ports: OauthPorts; readonly signal: AbortSignal },
): Promise<Outcome<SignedIn, AuthRefusal>> {
  options.signal.throwIfAborted();
  const done = await complete(pending, options);
  const outcome = done.ok ? done : refuseAuth(pending.key, done.refusal);
  await auditSignIn(pending.key, outcome, options.ports);
  return outcome;
}

async function complete(
  pending: PendingSignIn,
  { redirectUrl, ports }: { readonly redirectUrl: string; readonly ports: OauthPorts },
): Promise<Outcome<SignedIn, AuthFault>> {
  if (ports.clock.nowMs() >= pending.expiresAtMs) return refuse({ reason: "pending-expired" });
  if (used.has(pending)) return refuse({ reason: "pending-used" });
  const code = checkCallback(redirectUrl, pending);
  // A redirect of somebody else's does not use up this flow; every answer to it does, a refusal included.
  if (code.ok || !isForeign(code.refusal)) used.add(pending);
  if (!code.ok) return code;
  const { issuer, tokenEndpoint, client, redirectUri, verifier, resourceIndicator: resource } = pending;
  const answer = await boundedExchange(
    (signal) =>
      ports.authorizationServer.exchangeCode(
        { issuer, tokenEndpoint, client, resource, code: code.value, verifier, redirectUri },
        { signal },
      ),
    { clock: ports.clock, signal: uncut() },
  );
  if (!answer.ok) {
    const fault = failureFault(answer.refusal, "token");
    if (fault.reason !== "invalid-client" || !pending.reusedClient) return refuse(fault);
    const dropped = await dropClient(pending.key, client.clientId, ports);
    return dropped.ok ? refuse(fault) : dropped;
  }
  const tokens = tokensOf(answer.value, { nowMs: ports.clock.nowMs(), askedScopes: pending.scopes });
  const saved = await saveCredential(
    {
      key: pending.key,
      issuer,
      ...(resource !== undefined && { resourceIndicator: resource }),
      tokenEndpoint,
      ...(pending.revocationEndpoint !== undefined && { revocationEndpoint: pending.revocationEndpoint }),
      client,
      grant: "authorization_code",
      tokens,
    },
    ports,
  );
  if (!saved.ok) return saved;
  return accept({
    serverId: pending.key.serverId,
    issuer,
    client: client.origin,
    scopes: tokens.scopes,
    ...(tokens.expiresAtMs !== undefined && { expiresAtMs: tokens.expiresAtMs }),
    resourceOmitted: resource === undefined,
  });
}

function isForeign({ reason }: AuthFault): boolean {
  return reason === "redirect-mismatch" || reason === "state-mismatch";
}
