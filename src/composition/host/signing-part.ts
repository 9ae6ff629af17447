import { admissionRefusedEvent } from "../../domain/activation/audit-event.ts";
import { activationRefusal } from "../../domain/activation/match.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { checkHttpAdmission } from "../../domain/http/admission.ts";
import { authStateOf } from "../../domain/oauth/credential-state.ts";
import type { Credential } from "../../domain/oauth/credential.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { RedirectReceiver } from "../../ports/redirect-receiver.ts";
import { beginSignIn } from "../flows/oauth/begin-sign-in.ts";
import { runMcpClientCredentials } from "../flows/oauth/client-credentials.ts";
import { completeSignIn } from "../flows/oauth/complete-sign-in.ts";
import { runMcpOAuthLogin } from "../flows/oauth/login.ts";
import { runMcpOAuthLogout } from "../flows/oauth/logout.ts";
import { isOurs } from "../flows/oauth/oauth-authenticator.ts";
import { credentialKeyOf } from "../flows/oauth/oauth-server.ts";
import type { OauthServer } from "../flows/oauth/oauth-server.ts";
import { auditSignIn } from "../flows/oauth/sign-in-audit.ts";
import { approvedServer } from "./approved-server.ts";
import type { QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { McpHost } from "./mcp-host.ts";
import type { SignInChoices } from "./sign-in-options.ts";
import type { SignInParts } from "./sign-in-parts.ts";
import type { StateHolder } from "./state-holder.ts";

/** The part of a host that signs in and out. Loaded with the first sign-in, sign-out or question about one. */
export type SigningPart = Pick<
  McpHost,
  "signIn" | "beginSignIn" | "completeSignIn" | "signInUnattended" | "signOut" | "authState"
>;

export interface SigningContext {
  readonly options: McpHostOptions;
  readonly parts: QuietParts;
  readonly holder: StateHolder;
  readonly signIns: SignInParts;
  readonly signal: AbortSignal;
}

/** The first step's page may be opened on another machine, and its address has to come back from there. */
const TWO_STEP_LIMIT_MS = 600_000;

export function createSigningPart(context: SigningContext): SigningPart {
  const { signIns, parts } = context;
  const within = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? context.signal : AbortSignal.any([signal, context.signal]);

  return {
    signIn: async (name, { showPage, limitMs, ...choices }) => {
      const signal = within(choices.signal);
      const server = await admittedServer(name, { ...context, signal });
      if (!server.ok) return server;
      const ports = await signIns.ports();
      const known = await knownRedirect(server.value, { ...context, signal });
      const knownPort = known === undefined ? undefined : portOf(known);
      return runMcpOAuthLogin({
        server: withPort(server.value, choices.callbackPort),
        ports,
        receiver: preferringPort(await makeReceiver(context), knownPort),
        showPage,
        ...chosen(choices),
        ...(limitMs !== undefined && { limitMs }),
        signal,
      });
    },
    beginSignIn: async (name, choices = {}) => {
      const signal = within(choices.signal);
      const admitted = await admittedServer(name, { ...context, signal });
      if (!admitted.ok) return admitted;
      const server = withPort(admitted.value, choices.callbackPort);
      const ports = await signIns.ports();
      const port = server.settings.callbackPort;
      const known = port === undefined ? await knownRedirect(server, { ...context, signal }) : undefined;
      const redirectUri = known ?? redirectUriAt(port ?? ephemeralPort(ports.random.bytes(2)));
      const begun = await beginSignIn({
        server,
        ports,
        redirectUri,
        limitMs: TWO_STEP_LIMIT_MS,
        ...chosen(choices),
        signal,
      });
      if (!begun.ok) return begun;
      const { authorizationUrl, pending } = begun.value;
      const saved = await (await signIns.pending()).save(pending, { signal });
      if (!saved.ok) {
        await auditSignIn(server, saved, ports);
        return saved;
      }
      return accept({
        authorizationUrl,
        redirectUri,
        issuer: pending.issuer,
        expiresAtMs: pending.expiresAtMs,
      });
    },
    completeSignIn: async (name, { redirectUrl, ...call }) => {
      const signal = within(call.signal);
      const server = await admittedServer(name, { ...context, signal });
      if (!server.ok) return server;
      const ports = await signIns.ports();
      const taken = await (await signIns.pending()).take(credentialKeyOf(server.value), { signal });
      if (!taken.ok) {
        await auditSignIn(server.value, taken, ports);
        return taken;
      }
      return completeSignIn(taken.value, { redirectUrl, ports, signal });
    },
    signInUnattended: async (name, { client, scopes, ...call }) => {
      const signal = within(call.signal);
      const server = await admittedServer(name, { ...context, signal });
      if (!server.ok) return server;
      const ports = await signIns.ports();
      return runMcpClientCredentials({
        server: server.value,
        ports,
        client,
        ...(scopes !== undefined && { scopes }),
        signal,
      });
    },
    // Withdrawing needs no approval: a server that was revoked is the first to be signed out of.
    signOut: async (name, call = {}) => {
      const signal = within(call.signal);
      const server = await configuredServer(name, { ...context, signal });
      if (!server.ok) return server;
      const key = credentialKeyOf(server.value);
      return runMcpOAuthLogout({ key, ports: await signIns.ports(), signal });
    },
    authState: async (name, call = {}) => {
      const signal = within(call.signal);
      const server = await configuredServer(name, { ...context, signal });
      if (!server.ok) return server;
      const stored = await storedCredential(server.value, { ...context, signal });
      if (!stored.ok) return stored;
      const { value } = stored;
      // A record that the authenticator would not use is no sign-in (U9).
      if (value !== undefined && !isOurs(value, server.value)) return accept("sign-in-required");
      return accept(authStateOf(value, parts.clock.nowMs()));
    },
  };
}

function chosen({ scopes, client }: SignInChoices): Pick<SignInChoices, "scopes" | "client"> {
  return { ...(scopes !== undefined && { scopes }), ...(client !== undefined && { client }) };
}

/** Nothing is contacted for a sign-in that a connection would not be made to (A1, H7). */
async function admittedServer(name: string, context: SigningContext): Promise<Outcome<OauthServer, Refusal>> {
  const approved = approvedServer(name, context.holder.now);
  if (!approved.ok) {
    const { refusal, definition } = approved.refusal;
    return definition === undefined ? refuse(refusal) : refused(refusal, definition, context);
  }
  const { definition } = approved.value;
  // Another process may have revoked since the records were read.
  const status = await context.holder.freshStatus(definition, context.signal);
  const denied = activationRefusal(status, name);
  if (denied !== undefined) return refused(denied, definition, context);
  const no = definition.transport === "stdio" ? undefined : checkHttpAdmission(definition, status);
  if (no !== undefined) return refused(no, definition, context);
  const server = await context.signIns.serverOf(definition, context.signal);
  return server.ok ? server : refused(server.refusal, definition, context);
}

async function refused(
  refusal: Refusal,
  definition: ServerDefinition,
  { parts, holder }: SigningContext,
): Promise<Outcome<never, Refusal>> {
  const subject = activationSubject(definition, holder.now.workspace);
  await parts.audit.append(admissionRefusedEvent(subject, refusal, parts.clock.nowMs()));
  return refuse(refusal);
}

async function configuredServer(
  name: string,
  { holder, signIns, signal }: SigningContext,
): Promise<Outcome<OauthServer, Refusal>> {
  const server = holder.now.byName.get(name);
  if (server === undefined) return refuse({ kind: "host", reason: "unknown-server", serverId: name });
  if (server.status === "unresolved") return refuse({ kind: "host", reason: "unresolved", serverId: name });
  return signIns.serverOf(server.definition, signal);
}

async function storedCredential(
  server: OauthServer,
  { signIns, signal }: SigningContext,
): Promise<Outcome<Credential | undefined, Refusal>> {
  const stored = await (await signIns.store()).get(credentialKeyOf(server), { signal });
  if (stored.ok) return stored;
  const { reason } = stored.refusal;
  const failed = reason === "store-unavailable" ? reason : "store-failed";
  return refuse({ kind: "auth", reason: failed, serverId: server.serverId });
}

/** Where a kept registration may be redirected to: another place would need another registration (U6). */
async function knownRedirect(server: OauthServer, context: SigningContext): Promise<string | undefined> {
  const stored = await storedCredential(server, context);
  if (!stored.ok || stored.value?.client.origin !== "dynamic") return undefined;
  return stored.value.client.redirectUris.find((uri) => portOf(uri) !== undefined);
}

function redirectUriAt(port: number): string {
  return `http://127.0.0.1:${port}/callback`;
}

function portOf(redirectUri: string): number | undefined {
  const port = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/callback$/.exec(redirectUri)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** RFC 6335 section 6: nobody is registered there. Nothing listens on it, and PKCE protects what arrives. */
function ephemeralPort([high = 0, low = 0]: Uint8Array): number {
  return 49_152 + (((high << 8) | low) & 0x3fff);
}

function withPort(server: OauthServer, callbackPort: number | undefined): OauthServer {
  return callbackPort === undefined ? server : { ...server, settings: { ...server.settings, callbackPort } };
}

async function makeReceiver({ options }: SigningContext): Promise<RedirectReceiver> {
  if (options.parts?.redirects !== undefined) return options.parts.redirects;
  const { createRedirectReceiver } = await import("../../adapters/node-http/redirect-receiver.ts");
  return createRedirectReceiver();
}

/** Tries the port of a kept registration first, where any would do; one that is taken costs a registration. */
function preferringPort(receiver: RedirectReceiver, port: number | undefined): RedirectReceiver {
  if (port === undefined) return receiver;
  return {
    open: async (request) => {
      if (request.port !== undefined) return receiver.open(request);
      const first = await receiver.open({ ...request, port });
      return first.ok ? first : receiver.open(request);
    },
  };
}
