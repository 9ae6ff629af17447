import { admitTarget } from "../../domain/egress/target.ts";
import { materialOf } from "../../domain/definition/definition.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { signInSettingOf } from "../../domain/oauth/sign-in-settings.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { CredentialStore } from "../../ports/credential-store.ts";
import type { PendingSignInStore } from "../../ports/pending-sign-in-store.ts";
import type { OauthPorts, OauthServer } from "../flows/oauth/oauth-server.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { Network } from "./network.ts";

/** What signing in and authorizing requests have in common; each part is loaded when it is first needed. */
export interface SignInParts {
  /** Who is signed in to, as the person's settings have it now. Contacts nobody. */
  serverOf(definition: ServerDefinition, signal: AbortSignal): Promise<Outcome<OauthServer, Refusal>>;
  store(): Promise<CredentialStore>;
  pending(): Promise<PendingSignInStore>;
  ports(): Promise<OauthPorts>;
}

export interface SignInPartsContext {
  readonly options: McpHostOptions;
  readonly settings: HostSettings;
  readonly parts: QuietParts;
  readonly network: Network;
}

export function createSignInParts(context: SignInPartsContext): SignInParts {
  const store = once(() => makeStore(context));
  return {
    serverOf: (definition, signal) => serverOf(definition, context, signal),
    store,
    pending: once(() => makePending(context)),
    ports: once(() => makePorts(context, store)),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function makeStore({ options, settings, parts }: SignInPartsContext): Promise<CredentialStore> {
  if (options.parts?.credentials !== undefined) return options.parts.credentials;
  const { createFileOAuthCredentialStore } = await import("../../adapters/files/credential-store.ts");
  return createFileOAuthCredentialStore({ folder: settings.home, clock: parts.clock });
}

async function makePending({ options, settings, parts }: SignInPartsContext): Promise<PendingSignInStore> {
  if (options.parts?.pendingSignIns !== undefined) return options.parts.pendingSignIns;
  const { createFilePendingSignInStore } = await import("../../adapters/files/pending-sign-in.ts");
  return createFilePendingSignInStore({ folder: settings.home, clock: parts.clock });
}

async function makePorts(
  { options, settings, parts, network }: SignInPartsContext,
  store: () => Promise<CredentialStore>,
): Promise<OauthPorts> {
  const { clock, audit } = parts;
  const [
    { createAuthorizationServerClient },
    { createFileOAuthRefreshLock },
    { createSystemRandom },
    egress,
    credentials,
  ] = await Promise.all([
    import("../../adapters/oauth4webapi/authorization-server.ts"),
    import("../../adapters/files/refresh-lock.ts"),
    import("../../adapters/system/random.ts"),
    network.egress(),
    store(),
  ]);
  const policy = { allowDestinations: options.allowDestinations ?? [] };
  return {
    authorizationServer: createAuthorizationServerClient({ egress, policy }),
    store: credentials,
    lock: options.parts?.refreshLock ?? createFileOAuthRefreshLock({ folder: settings.home, clock }),
    clock,
    random: createSystemRandom(),
    audit,
  };
}

/**
 * A URL that a secret is part of names no OAuth server: it would be the credential's key, and `resource` for
 * whoever issues the tokens (D15).
 */
async function serverOf(
  definition: ServerDefinition,
  context: SignInPartsContext,
  signal: AbortSignal,
): Promise<Outcome<OauthServer, Refusal>> {
  const { name: serverId, securityIdentity, oauth } = definition;
  const url = signInUrl(definition);
  if (url === undefined) return refuse({ kind: "host", reason: "no-sign-in", serverId });
  const target = admitTarget(url, { allowDestinations: context.options.allowDestinations ?? [] });
  if (!target.ok) return target;
  const settled = await settingOf(url, context, signal);
  if (!settled.ok) return refuse({ kind: "auth", reason: "settings-invalid", serverId });
  const { clientMetadataUrl } = context.options;
  return accept({
    serverId,
    securityIdentity,
    url: target.value.href,
    settings: oauth ?? {},
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...settled.value,
  });
}

/** The URL of a server that can be signed in to. */
export function signInUrl(definition: ServerDefinition): string | undefined {
  if (definition.transport !== "http" || definition.hasHeadersHelper) return undefined;
  const material = materialOf(definition);
  if (material.transport === "stdio") return undefined;
  return material.url.stretches.some(({ secret }) => secret) ? undefined : material.url.text;
}

async function settingOf(
  url: string,
  { options, settings, parts }: SignInPartsContext,
  signal: AbortSignal,
): Promise<Outcome<Pick<OauthServer, "expectedIssuer" | "omitResource">, "invalid">> {
  const source =
    options.parts?.signInSettings ??
    (await import("../../adapters/files/sign-in-settings.ts")).createFileSignInSettings({
      folder: settings.home,
      clock: parts.clock,
    });
  const loaded = await source.load({ signal });
  if (!loaded.ok) return loaded;
  const { issuer, omitResource } = signInSettingOf(loaded.value, url);
  return accept({
    ...(issuer !== undefined && { expectedIssuer: issuer }),
    ...(omitResource !== undefined && { omitResource }),
  });
}
