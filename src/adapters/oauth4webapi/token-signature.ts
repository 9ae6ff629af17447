import {
  clockSkew,
  clockTolerance,
  customFetch,
  validateJwtAccessToken,
  type AuthorizationServer,
} from "oauth4webapi";

import type { IssuerKey } from "../../domain/gate/key-set.ts";
import type { TokenSignature } from "../../ports/token-signature.ts";

/** The library asks for keys at a URL; it is answered here, and never asked for. RFC 2606: nobody's name. */
const KEY_PLACE = "https://keys.invalid/";
/** More than we allow ourselves: times were decided on before, by the clock of the host. */
const TOLERANCE_SECONDS = 120;

/**
 * Creates the last check of an access token on oauth4webapi. It verifies the signature, and header and claims once
 * more by its own reading, so that a mistake in ours alone lets nobody in. It is given one key and fetches nothing.
 */
export function createTokenSignature(): TokenSignature {
  // The library keeps what it imported by this object: one a key, gone with the key.
  const servers = new WeakMap<IssuerKey, AuthorizationServer>();
  return {
    isGenuine: async (token, { algorithm, key, issuer, resource, nowMs }) => {
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
        return true;
      } catch {
        // Its errors carry the claims. Every one of them is a no.
        return false;
      }
    },
  };
}

function publicKey({ keyId, algorithm, material }: IssuerKey): object {
  return {
    ...material,
    ...(keyId !== undefined && { kid: keyId }),
    ...(algorithm !== undefined && { alg: algorithm }),
  };
}
