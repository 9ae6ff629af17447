import { sha256Hex } from "../sha256.ts";
import { canonicalResource } from "./canonical-url.ts";
import type { CredentialKey } from "./credential.ts";

/**
 * Names the place of one credential: 64 hex digits over the security identity and the canonical URL together
 * (U9), neither of which is a secret. Spellings of one URL share a place. Never made from a token.
 */
export function credentialSlot(key: CredentialKey): string {
  return sha256Hex(JSON.stringify(["sallyport-credential-1", key.securityIdentity, resourceOf(key)]));
}

/** Whether a record that was found in a place is the one that was asked for: a copied file is nobody's. */
export function isSameKey(one: CredentialKey, other: CredentialKey): boolean {
  return (
    one.serverId === other.serverId &&
    one.securityIdentity === other.securityIdentity &&
    resourceOf(one) === resourceOf(other)
  );
}

function resourceOf({ resource }: CredentialKey): string {
  return canonicalResource(resource) ?? resource;
}
