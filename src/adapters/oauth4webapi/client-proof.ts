import { None, PrivateKeyJwt, type ClientAuth, type CryptoKey } from "oauth4webapi";

import type { OauthClient, SigningAlgorithm } from "../../domain/oauth/credential.ts";
import type { Secret } from "../../domain/secret.ts";
import { ExchangeError } from "./errors.ts";

/** Makes what a client proves itself with at the token, refresh and revocation endpoints (RFC 6749 section 2.3). */
export async function clientProof(client: OauthClient): Promise<ClientAuth> {
  const { authentication, clientSecret, privateKey, signingAlgorithm } = client;
  if (authentication === "none") return None();
  if (authentication === "client_secret_basic") return basic(needed(clientSecret));
  if (authentication === "client_secret_post") return post(needed(clientSecret));
  return PrivateKeyJwt(await importKey(needed(privateKey), signingAlgorithm));
}

/**
 * RFC 6749 section 2.3.1 wants the `application/x-www-form-urlencoded` algorithm, which leaves `-._*` alone;
 * the library escapes them too, and servers that compare without decoding then know no such client.
 */
function basic(secret: Secret): ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${formEncode(client.client_id)}:${formEncode(secret.reveal())}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

function post(secret: Secret): ClientAuth {
  return (_server, client, body) => {
    body.set("client_id", client.client_id);
    body.set("client_secret", secret.reveal());
  };
}

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

const IMPORTS: Readonly<
  Record<SigningAlgorithm, { readonly name: string; readonly hash?: string; readonly namedCurve?: string }>
> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  ES512: { name: "ECDSA", namedCurve: "P-521" },
  Ed25519: { name: "Ed25519" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
};
/** Each kind of key fits one of them; for RSA the first one is what servers must take. */
const TRIED: readonly SigningAlgorithm[] = ["ES256", "ES384", "ES512", "Ed25519", "RS256"];

/** Imports a PKCS#8 PEM as the algorithm says, or as the one that its kind of key fits. */
async function importKey(pem: Secret, algorithm: SigningAlgorithm | undefined): Promise<CryptoKey> {
  const bytes = decodePem(pem.reveal());
  for (const name of algorithm === undefined ? TRIED : [algorithm]) {
    try {
      return await crypto.subtle.importKey("pkcs8", bytes, IMPORTS[name], false, ["sign"]);
    } catch {
      // Another kind of key, or none: the engine's message would quote it.
    }
  }
  throw unusable();
}

function decodePem(pem: string): Uint8Array<ArrayBuffer> {
  const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw unusable();
  try {
    return Uint8Array.from(atob(body.replace(/\s/g, "")), (character) => character.charCodeAt(0));
  } catch {
    throw unusable();
  }
}

function needed(secret: Secret | undefined): Secret {
  if (secret === undefined) throw unusable();
  return secret;
}

/** As if the server had refused it: this client cannot prove who it is. */
function unusable(): ExchangeError {
  return new ExchangeError({ kind: "authorization-server", reason: "refused", error: "invalid_client" });
}
