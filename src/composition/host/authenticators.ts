import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Authenticator } from "../../ports/authenticator.ts";
import type { OauthServer } from "../flows/oauth/oauth-server.ts";
import { signInUrl } from "./sign-in-parts.ts";
import type { SignInParts } from "./sign-in-parts.ts";

/**
 * Finds the authenticator of an approved server (U1): OAuth where the definition asks for it, or where somebody
 * signed in to a server whose definition asks for nothing. Contacts nobody. A store that cannot be read is a
 * refusal: it may hold the credential that the server was signed in to with (U2).
 */
export async function findAuthenticator(
  definition: ServerDefinition,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Outcome<Authenticator | undefined, Refusal>> {
  if (definition.oauth === undefined && signInUrl(definition) === undefined) return accept(undefined);
  const server = await parts.serverOf(definition, signal);
  if (!server.ok) return server;
  if (definition.oauth === undefined) {
    const known = await hasCredential(server.value, parts, signal);
    if (!known.ok || !known.value) return known.ok ? accept(undefined) : known;
  }
  const [{ createOAuthAuthenticator }, ports] = await Promise.all([
    import("../flows/oauth/oauth-authenticator.ts"),
    parts.ports(),
  ]);
  return accept(createOAuthAuthenticator({ server: server.value, ports }));
}

async function hasCredential(
  server: OauthServer,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Outcome<boolean, Refusal>> {
  const { credentialKeyOf } = await import("../flows/oauth/oauth-server.ts");
  const stored = await (await parts.store()).get(credentialKeyOf(server), { signal });
  if (stored.ok) return accept(stored.value !== undefined);
  const { reason } = stored.refusal;
  const failed = reason === "store-unavailable" ? reason : "store-failed";
  return refuse({ kind: "auth", reason: failed, serverId: server.serverId });
}
