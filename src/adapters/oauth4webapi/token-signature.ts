import {
  clockSkew,
  clockTolerance,
  customFetch,
  validateJwtAccessToken,
  type AuthorizationServer,
} from "oauth4webapi";

import type { IssuerKey } from "../../domain/gate/key-set.ts";
import type { ExpectedSignature, TokenSignature } from "../../ports/token-signature.ts";

/** The library asks for keys at a URL; it is answered here, and never asked for. RFC 2606: nobody's name. */
const KEY_PLACE = "https://keys.invalid/";
/** More than we allow ourselves: times were decided on before, by the clock of the host. */
const TOLERANCE_SECONDS = 120;

/** More tokens than a host of this kind has callers at once; most are of 1 KiB. */
export const GENUINE_TOKENS_LIMIT = 1_024;
/** A larger token is verified each time, so that what is remembered stays below 4 MiB a key. */
export const REMEMBERED_TOKEN_LIMIT_CHARS = 4_096;

/**
 * Creates the last check of an access token on oauth4webapi. It verifies the signature, and header and claims once
 * more by its own reading, so that a mistake in ours alone lets nobody in. It is given one key and fetches nothing.
 *
 * A token that was genuine under a key is not verified under it again: the same bytes and the same key give the same
 * answer for as long as the key is published, and a client sends one token with each of its calls. What changes with
 * time, and who may come in, is decided before and after this, each time.
 */
export function createTokenSignature(): TokenSignature {
  // The library keeps what it imported by this object: one a key, gone with the key.
  const servers = new WeakMap<IssuerKey, AuthorizationServer>();
  const known = new WeakMap<IssuerKey, Set<string>>();
  return {
    isGenuine: async (token, expected) => {
      const { algorithm, key, issuer, resource, nowMs } = expected;
      const judged = judgedWith(token, expected);
      const genuine = known.get(key) ?? new Set();
      known.set(key, genuine);
      if (genuine.has(judged)) return true;
      const server = servers.get(key) ?? { issuer, jwks_uri: KEY_PLACE };
      servers.set(key, server);
      const request = new Request(KEY_PLACE, { headers: { authorization: `Bearer ${token}` } });
      try {
        await validateJwtAccessToken(server, request, resource, {
          signingAlgorithms: [algorithm],
          [clockTolerance]: TOLERANCE_SECONDS,
          [clockSkew]: Math.floor((nowMs - Date.now()) / 1_000),
          [customFetch]: async () => Response.json({ keys: [publicKey(key)] }),
        });
        if (token.length <= REMEMBERED_TOKEN_LIMIT_CHARS) remember(genuine, judged);
        return true;
      } catch {
        // Its errors carry the claims. Every one of them is a no.
        return false;
      }
    },
  };
}

/** A token and all that it was held against. As it is: secrets are never hashed (D15), and nothing prints this closure. */
function judgedWith(token: string, { algorithm, issuer, resource }: ExpectedSignature): string {
  return JSON.stringify([algorithm, issuer, resource, token]);
}

/** The oldest goes first: a token lives for minutes, and one that is still in use is verified once more. */
function remember(genuine: Set<string>, judged: string): void {
  const [oldest] = genuine;
  if (genuine.size >= GENUINE_TOKENS_LIMIT && oldest !== undefined) genuine.delete(oldest);
  genuine.add(judged);
}

function publicKey({ keyId, algorithm, material }: IssuerKey): object {
  return {
    ...material,
    ...(keyId !== undefined && { kid: keyId }),
    ...(algorithm !== undefined && { alg: algorithm }),
  };
}
