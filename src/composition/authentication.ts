import type { Outcome } from "../domain/outcome.ts";
import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Authenticator } from "../ports/authenticator.ts";
import type { ClientCredentialsOptions } from "./flows/oauth/client-credentials.ts";
import type { SignedIn } from "./flows/oauth/complete-sign-in.ts";
import type { LoginOptions } from "./flows/oauth/login.ts";
import type { LogoutOptions, Revocation } from "./flows/oauth/logout.ts";
import type { OauthAuthenticatorOptions } from "./flows/oauth/oauth-authenticator.ts";

/*
 * The flows of authentication, each loaded with its first use: most sessions need none, and what reads documents
 * of strangers strictly is a good part of what importing the entry point would cost.
 */

/**
 * Signs in with a person at hand (U7): opens the receiver, shows the page, waits at most 5 minutes for the
 * redirect, checks and redeems it, and stores what came. Refuses with the reasons of discovery, client identity, redirect,
 * token endpoint, store and lock, `callback-port-taken`, `sign-in-timeout` or `sign-in-cancelled`. Rejects only with
 * `signal.reason`; nothing stays open.
 */
export async function runMcpOAuthLogin(options: LoginOptions): Promise<Outcome<SignedIn, AuthRefusal>> {
  const flow = await import("./flows/oauth/login.ts");
  return flow.runMcpOAuthLogin(options);
}

/** Signs in as the client itself, without a person (U13): by its secret or private key. */
export async function runMcpClientCredentials(
  options: ClientCredentialsOptions,
): Promise<Outcome<SignedIn, AuthRefusal>> {
  const flow = await import("./flows/oauth/client-credentials.ts");
  return flow.runMcpClientCredentials(options);
}

/**
 * Signs out (U11): removes the record, and only then asks the recorded issuer to revoke its tokens. Refuses with
 * `store-failed` or `store-unavailable` when the record could not be removed.
 */
export async function runMcpOAuthLogout(
  options: LogoutOptions,
): Promise<Outcome<{ readonly revocation: Revocation }, AuthRefusal>> {
  const flow = await import("./flows/oauth/logout.ts");
  return flow.runMcpOAuthLogout(options);
}

/**
 * Creates the authenticator of one server (U1, U2, U8, U10): it supplies the stored token, renews it before it
 * ends or when it is refused, once among all callers and processes, and never asks a person.
 */
export function createOAuthAuthenticator(options: OauthAuthenticatorOptions): Authenticator {
  let made: Promise<Authenticator> | undefined;
  const inner = (): Promise<Authenticator> => {
    made ??= import("./flows/oauth/oauth-authenticator.ts").then((flow) =>
      flow.createOAuthAuthenticator(options),
    );
    return made;
  };
  return {
    securityIdentity: options.server.securityIdentity,
    authorize: async (call) => (await inner()).authorize(call),
    onRejected: async (rejection, call) => (await inner()).onRejected(rejection, call),
  };
}
