import { escapeForDisplay } from "../display-text.ts";
import type { AuthReason, AuthRefusal } from "./refusal.ts";

const SENTENCES: Readonly<Record<AuthReason, string>> = {
  "sign-in-required": "needs a sign-in; sign in to it, then try again.",
  "step-up-required": "wants more rights than were granted; sign in again and grant them.",
  "step-up-limit":
    "keeps asking for more rights than were granted, and is not asked any more; check with its owner what it needs.",
  rejected: "refused the credential that it was given; check that this account may use it.",

  "resource-metadata-missing":
    "does not say who issues its tokens (RFC 9728); its owner has to publish that, or pin the issuer in the user's settings.",
  "resource-metadata-invalid":
    "publishes protected-resource metadata that cannot be read; its owner has to correct it.",
  "resource-mismatch":
    "publishes metadata of another resource; check the configured URL, or tell its owner that `resource` has to be that URL.",
  "resource-metadata-origin":
    "points to metadata on another origin, which is never followed; its owner has to publish it on its own.",
  "authorization-server-missing":
    "names no authorization server in its metadata; its owner has to add one, or pin the issuer in the user's settings.",
  "server-metadata-missing":
    "names an authorization server that publishes no metadata (RFC 8414); check with its owner which one is meant.",
  "server-metadata-invalid":
    "names an authorization server whose metadata cannot be used; its owner has to correct it.",
  "issuer-mismatch":
    "was answered for by another issuer than the one it names; nothing was sent there, and its owner has to make the two the same.",
  "issuer-not-pinned":
    "names another issuer than the one that is pinned for it; if the change is meant, change the pin in the user's settings.",
  "endpoint-insecure":
    "leads to an address that is not allowed: it has to be https, public, and without user information.",
  "pkce-unsupported":
    "has an authorization server that does not offer PKCE with S256, without which a code could be stolen.",

  "registration-unavailable":
    "has an authorization server that registers no clients by itself; register one there, and configure its `clientId` and `callbackPort`.",
  "registration-failed":
    "has an authorization server that did not register this client; register one there by hand, and configure its `clientId`.",
  "registration-redirect-mismatch":
    "has an authorization server that registered this client for other redirect URIs than ours; register one by hand.",
  "invalid-client":
    "has an authorization server that does not know this client, or not its secret; sign in again, and check the client id and secret.",

  "redirect-mismatch":
    "got a redirect that is not the one of this sign-in; paste the whole URL that the browser was sent to.",
  "state-mismatch": "got a redirect that belongs to another sign-in; begin the sign-in again.",
  "issuer-missing":
    "got a redirect that does not say which issuer sent it, though that was promised; nothing was redeemed.",
  "authorization-denied": "was not allowed access: the request was declined on the sign-in page.",
  "authorization-failed": "was not allowed access: the authorization server reported an error.",
  "code-missing": "got a redirect without an authorization code; begin the sign-in again.",
  "sign-in-timeout":
    "was not signed in to in time; begin again, and where the page does not come back, paste the redirect URL instead.",
  "sign-in-cancelled": "was not signed in to: the sign-in was cancelled.",
  "callback-port-taken":
    "needs a port for the redirect that another program uses; end that program, or configure another `callbackPort`.",
  "pending-missing": "has no sign-in under way; begin one first.",
  "pending-expired": "has a sign-in that was begun too long ago; begin it again.",
  "pending-used": "has a sign-in that was completed or refused already; begin another one.",

  "token-response-invalid":
    "has an authorization server whose token answer does not follow the specification; its owner has to correct it.",
  "token-refused": "has an authorization server that refused to issue a token for this request.",
  "grant-refused": "has an authorization server that no longer accepts the grant; sign in again.",
  "refresh-impossible": "has a token that ended and nothing to renew it with; sign in again.",

  "helper-not-allowed":
    "asks for a headers helper that is not on this host's list; allow exactly this program and its arguments, or remove it.",
  "helper-untrusted":
    "asks for a headers helper from a workspace that is not trusted; trust the workspace first.",
  "helper-failed": "has a headers helper that ended with an error; run it by hand to see why.",
  "helper-timeout": "has a headers helper that did not answer in 10 seconds, and was ended.",
  "helper-output-too-large": "has a headers helper that wrote more than 64 KiB.",
  "helper-output-invalid":
    "has a headers helper that did not write exactly one JSON object of strings, with at most 32 headers.",
  "helper-header-refused":
    "has a headers helper that sets a header which HTTP or the protocol owns, or one header twice.",

  "lock-timeout":
    "has a credential that another process is renewing; it did not come to its end in time, try again.",
  "store-failed":
    "has a stored credential that cannot be read or written safely; check the disk and the file's owner and mode, or sign out and in again.",
  "store-unavailable":
    "keeps its credential in a keychain that is locked or not there; unlock it, then try again.",
  "settings-invalid":
    "may have sign-in settings that cannot be believed; correct `auth.json` in Sallyport's home, and make it yours alone (mode 0600).",
  unreachable: "or its authorization server cannot be reached now; try again later.",
};

/**
 * One sentence for a person: what was refused, and what fixes it. Holds the server's name, names out of our own
 * schema and scope names, each escaped; never a token, a URL or a server's words.
 */
export function describeAuthRefusal(refusal: AuthRefusal): string {
  const { serverId, field, scopes = [], status } = refusal;
  const facts = [
    ...(field === undefined ? [] : [`\`${escapeForDisplay(field)}\``]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(scopes.length === 0 ? [] : [`scopes: ${scopes.map((scope) => escapeForDisplay(scope)).join(" ")}`]),
  ];
  const place = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return `Server "${escapeForDisplay(serverId)}"${place} ${SENTENCES[refusal.reason]}`;
}
