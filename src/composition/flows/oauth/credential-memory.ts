import type { Credential } from "../../../domain/oauth/credential.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { isSameIssuer } from "../../../domain/oauth/server-metadata.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { storeFault } from "./auth-refusals.ts";
import { credentialKeyOf, type OauthPorts, type OauthServer } from "./oauth-server.ts";

/** The store is asked again after this long, so that a sign-out elsewhere is heard of. */
const REMEMBERED_MS = 1_000;

type Loaded = Promise<Outcome<Credential, AuthFault>>;

/** A server's record, for a moment: a call must not wait for a file each time. Only what {@link isOurs} is answered. */
export interface CredentialMemory {
  load(signal: AbortSignal): Loaded;
  /** Out of the store, and not into memory: who was refused knows that something changes. */
  reload(signal: AbortSignal): Loaded;
  /** What is being read meanwhile is not remembered either. */
  forget(): void;
}

export function createCredentialMemory(
  server: OauthServer,
  { store, clock }: Pick<OauthPorts, "store" | "clock">,
): CredentialMemory {
  const key = credentialKeyOf(server);
  let remembered: { readonly credential: Credential; readonly atMs: number } | undefined;
  let forgotten = 0;
  const read = async (signal: AbortSignal): Loaded => {
    const stored = await store.get(key, { signal });
    if (!stored.ok) return refuse(storeFault(stored.refusal));
    const { value } = stored;
    return value !== undefined && isOurs(value, server)
      ? accept(value)
      : refuse({ reason: "sign-in-required" });
  };
  const forget = (): void => {
    remembered = undefined;
    forgotten += 1;
  };
  return {
    forget,
    load: async (signal) => {
      const atMs = clock.monotonicMs();
      if (remembered !== undefined && atMs - remembered.atMs < REMEMBERED_MS) {
        return accept(remembered.credential);
      }
      const before = forgotten;
      const loaded = await read(signal);
      if (before === forgotten) remembered = loaded.ok ? { credential: loaded.value, atMs } : undefined;
      return loaded;
    },
    reload: (signal) => {
      forget();
      return read(signal);
    },
  };
}

/** U9: issuer and client id are checked on use; another client's tokens are not this one's. */
export function isOurs(credential: Credential, { settings, expectedIssuer }: OauthServer): boolean {
  if (expectedIssuer !== undefined && !isSameIssuer(credential.issuer, expectedIssuer)) return false;
  return settings.clientId === undefined || settings.clientId === credential.client.clientId;
}
