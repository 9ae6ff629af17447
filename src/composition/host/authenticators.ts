import type { ActivationStatus } from "../../domain/activation/approval.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { canonicalResource } from "../../domain/oauth/canonical-url.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Authenticator } from "../../ports/authenticator.ts";
import { workingFolder } from "../flows/working-folder.ts";
import type { ApprovedServer } from "./carriers.ts";
import { childEnvironment } from "./child-environment.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import { signInUrl } from "./sign-in-parts.ts";
import type { SignInParts } from "./sign-in-parts.ts";

export interface AuthenticatorContext {
  readonly options: McpHostOptions;
  readonly settings: HostSettings;
  readonly parts: QuietParts;
  readonly signIns: SignInParts;
  readonly signal: AbortSignal;
}

/**
 * Finds the authenticator of an approved server (U1): the helper that its definition names, OAuth where that asks for
 * it, or where somebody signed in to a server whose definition asks for nothing. Contacts nobody and starts nothing.
 */
export function findAuthenticator(
  server: ApprovedServer,
  context: AuthenticatorContext,
): Promise<Outcome<Authenticator | undefined, Refusal>> {
  return server.definition.hasHeadersHelper
    ? helperAuthenticator(server, context)
    : oauthAuthenticator(server.definition, context);
}

/** What the approval fixed is the whole list of what may run (U4): asked again right before every run. */
async function helperAuthenticator(
  { definition, recheck }: ApprovedServer,
  { options, settings, parts }: AuthenticatorContext,
): Promise<Outcome<Authenticator | undefined, Refusal>> {
  const working = workingFolder(definition.source, undefined, settings);
  const folder = working === undefined ? undefined : await parts.probe.look(working.cwd);
  if (folder === undefined) return accept(undefined);
  const [{ createHeadersHelperAuthenticator }, { permissionByApproval }, { createHelperRunner }] =
    await Promise.all([
      import("../flows/headers-helper-authenticator.ts"),
      import("../flows/helper-launch.ts"),
      import("../../adapters/child-process/helper-runner.ts"),
    ]);
  // Records that cannot be read approve nothing.
  const currentStatus = (): Promise<ActivationStatus> => recheck().catch(() => ({ status: "pending" }));
  return accept(
    createHeadersHelperAuthenticator({
      definition,
      permission: permissionByApproval(definition, currentStatus),
      runner: options.parts?.helperRunner ?? createHelperRunner({ clock: parts.clock }),
      folder: folder.realPath,
      environment: childEnvironment(settings),
      probe: parts.probe,
    }),
  );
}

async function oauthAuthenticator(
  definition: ServerDefinition,
  { signIns, signal }: AuthenticatorContext,
): Promise<Outcome<Authenticator | undefined, Refusal>> {
  // Refused by name at its admission.
  if (definition.transport !== "http") return accept(undefined);
  if (definition.oauth === undefined) {
    const known = await hasCredential(definition, signIns, signal);
    if (!known.ok || !known.value) return known.ok ? accept(undefined) : known;
  }
  const server = await signIns.serverOf(definition, signal);
  if (!server.ok) return server;
  const [{ createOAuthAuthenticator }, ports] = await Promise.all([
    import("../flows/oauth/oauth-authenticator.ts"),
    signIns.ports(),
  ]);
  return accept(createOAuthAuthenticator({ server: server.value, ports }));
}

/** A store that cannot be read is a refusal: it may hold what the server was signed in to with (U2). */
async function hasCredential(
  definition: ServerDefinition,
  signIns: SignInParts,
  signal: AbortSignal,
): Promise<Outcome<boolean, Refusal>> {
  const { name: serverId, securityIdentity } = definition;
  const url = signInUrl(definition);
  const resource = url === undefined ? undefined : canonicalResource(url);
  // No URL that anybody could have signed in to.
  if (resource === undefined) return accept(false);
  const stored = await (await signIns.store()).get({ serverId, securityIdentity, resource }, { signal });
  if (stored.ok) return accept(stored.value !== undefined);
  const { reason } = stored.refusal;
  const failed = reason === "store-unavailable" ? reason : "store-failed";
  return refuse({ kind: "auth", reason: failed, serverId });
}
