import { SIGN_IN_LIMIT_MS } from "../../../domain/oauth/pending-sign-in.ts";
import type { AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { accept, type Outcome } from "../../../domain/outcome.ts";
import type { OpenRedirect, RedirectReceiver } from "../../../ports/redirect-receiver.ts";
import { startDeadline } from "../deadline.ts";
import { refuseAuth } from "./auth-refusals.ts";
import { beginSignIn, type SignInOptions } from "./begin-sign-in.ts";
import { waitFor } from "./bounded-exchange.ts";
import { completeSignIn, type SignedIn } from "./complete-sign-in.ts";
import { doubtClient } from "./save-credential.ts";
import { auditSignIn } from "./sign-in-audit.ts";

export interface LoginOptions extends SignInOptions {
  readonly receiver: RedirectReceiver;
  /** Shows the page to the person: opens a browser, or prints the URL. `false`: the person would not. */
  readonly showPage: (
    authorizationUrl: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<boolean>;
}

/**
 * Signs in with a person at hand (U7): opens the receiver, shows the page, waits at most 5 minutes for the
 * redirect, redeems and stores. Where the server has forgotten a kept registration it registers anew, once.
 * Refuses with every reason of {@link beginSignIn} and {@link completeSignIn}, `callback-port-taken`,
 * `sign-in-timeout` or `sign-in-cancelled`. Rejects only with `signal.reason`; nothing stays open.
 */
export async function runMcpOAuthLogin(options: LoginOptions): Promise<Outcome<SignedIn, AuthRefusal>> {
  const first = await attempt(options);
  return first.outcome.ok || !first.again ? first.outcome : (await attempt(options)).outcome;
}

interface Attempt {
  readonly outcome: Outcome<SignedIn, AuthRefusal>;
  /** The kept registration was dropped: another one may be accepted. */
  readonly again: boolean;
}

async function attempt(options: LoginOptions): Promise<Attempt> {
  const { server, receiver, signal } = options;
  signal.throwIfAborted();
  const opened = await receiver.open({
    serverId: server.serverId,
    port: server.settings.callbackPort,
    signal,
  });
  if (!opened.ok) {
    await auditSignIn(server, opened, options.ports);
    return { outcome: opened, again: false };
  }
  let ended: Attempt | undefined;
  try {
    ended = await signIn(options, opened.value);
    return ended;
  } finally {
    await opened.value.close(ended?.outcome.ok === true ? "signed-in" : "refused");
  }
}

async function signIn(options: LoginOptions, opened: OpenRedirect): Promise<Attempt> {
  const { server, ports, signal } = options;
  // Rejected when the receiver is closed before anybody waits for it: that is no news.
  opened.received.catch(() => undefined);
  const begun = await beginSignIn({ ...options, redirectUri: opened.redirectUri });
  if (!begun.ok) return { outcome: begun, again: false };
  const { pending } = begun.value;
  let redirect: Outcome<string, AuthRefusal> | undefined;
  try {
    redirect = await awaitRedirect(options, { ...begun.value, opened });
  } finally {
    const { key, client, reusedClient } = pending;
    if (reusedClient && nobodyCameBack(redirect)) await doubtClient(key, client.clientId, ports);
  }
  if (!redirect.ok) {
    await auditSignIn(server, redirect, ports);
    return { outcome: redirect, again: false };
  }
  const outcome = await completeSignIn(pending, { redirectUrl: redirect.value, ports, signal });
  const again = !outcome.ok && outcome.refusal.reason === "invalid-client" && pending.reusedClient;
  return { outcome, again };
}

/** The page was shown, and time was up or the caller left. */
function nobodyCameBack(redirect: Outcome<string, AuthRefusal> | undefined): boolean {
  return redirect === undefined || (!redirect.ok && redirect.refusal.reason === "sign-in-timeout");
}

async function awaitRedirect(
  options: LoginOptions,
  flow: { readonly authorizationUrl: string; readonly opened: OpenRedirect },
): Promise<Outcome<string, AuthRefusal>> {
  const { server, ports, signal, limitMs = SIGN_IN_LIMIT_MS } = options;
  const deadline = startDeadline(limitMs, { clock: ports.clock, signal });
  try {
    const shown = await waitFor(
      options.showPage(flow.authorizationUrl, { signal: deadline.signal }),
      deadline.signal,
    );
    if (!shown) return refuseAuth(server, { reason: "sign-in-cancelled" });
    return accept(await waitFor(flow.opened.received, deadline.signal));
  } catch (error) {
    if (deadline.expired()) return refuseAuth(server, { reason: "sign-in-timeout" });
    throw error;
  } finally {
    deadline.end();
  }
}
