import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { Secret } from "../secret.ts";
import { SIGNING_ALGORITHMS, type Credential, type OauthClient } from "./credential.ts";
import type { PendingSignIn } from "./pending-sign-in.ts";
import { isScope, SCOPES_LIMIT } from "./scopes.ts";

/** Version word of both documents. A larger one was written by a later Sallyport. */
export const CREDENTIAL_VERSION = 1;

/** Called by the adapter that writes: a `Secret` gives itself up there, and nowhere else. */
export type Reveal = (secret: Secret) => string;

const TEXT_LIMIT_CHARS = 8_192;
const SECRET_LIMIT_CHARS = 16_384;

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(TEXT_LIMIT_CHARS));
const secret = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(SECRET_LIMIT_CHARS),
  v.transform((value) => new Secret(value)),
);
const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const scopes = v.pipe(v.array(v.pipe(v.string(), v.check(isScope))), v.maxLength(SCOPES_LIMIT));

const key = v.strictObject({
  serverId: text,
  securityIdentity: text,
  resource: text,
});

const client = v.strictObject({
  clientId: text,
  origin: v.picklist(["pre-registered", "metadata-document", "dynamic"]),
  authentication: v.picklist(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]),
  clientSecret: v.exactOptional(secret),
  privateKey: v.exactOptional(secret),
  signingAlgorithm: v.exactOptional(v.picklist(SIGNING_ALGORITHMS)),
  redirectUris: v.pipe(v.array(text), v.maxLength(16)),
  secretExpiresAtMs: v.exactOptional(time),
});

const tokens = v.strictObject({
  accessToken: secret,
  refreshToken: v.exactOptional(secret),
  expiresAtMs: v.exactOptional(time),
  obtainedAtMs: time,
  scopes,
});

const credential = v.strictObject({
  version: v.literal(CREDENTIAL_VERSION),
  key,
  issuer: text,
  resourceIndicator: v.exactOptional(text),
  tokenEndpoint: text,
  revocationEndpoint: v.exactOptional(text),
  client,
  grant: v.picklist(["authorization_code", "client_credentials"]),
  tokens: v.exactOptional(tokens),
  generation: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

const pending = v.strictObject({
  version: v.literal(CREDENTIAL_VERSION),
  key,
  issuer: text,
  promisesIssuer: v.boolean(),
  redirectUri: text,
  stateDigest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  tokenEndpoint: text,
  revocationEndpoint: v.exactOptional(text),
  client,
  reusedClient: v.boolean(),
  resourceIndicator: v.exactOptional(text),
  scopes,
  verifier: secret,
  expiresAtMs: time,
});

export type CredentialDocumentFault = "corrupt" | "too-new";

/** The record as JSON, every secret readable: for the one place that keeps it. */
export function credentialDocument(record: Credential, reveal: Reveal): Readonly<Record<string, unknown>> {
  const given = record.tokens;
  return {
    version: CREDENTIAL_VERSION,
    ...record,
    client: clientDocument(record.client, reveal),
    ...(given !== undefined && {
      tokens: {
        ...given,
        accessToken: reveal(given.accessToken),
        ...(given.refreshToken !== undefined && { refreshToken: reveal(given.refreshToken) }),
      },
    }),
  };
}

/** Decodes a stored record, strictly: an unknown member makes it foreign. The fault quotes nothing. */
export function decodeCredentialDocument(value: unknown): Outcome<Credential, CredentialDocumentFault> {
  const read = v.safeParse(credential, value);
  if (!read.success) return refuse(faultOf(value));
  const { version: _, ...record } = read.output;
  return accept(record);
}

/** A pending sign-in as JSON, every secret readable: for the one place that seals it. */
export function pendingDocument(record: PendingSignIn, reveal: Reveal): Readonly<Record<string, unknown>> {
  return {
    version: CREDENTIAL_VERSION,
    ...record,
    client: clientDocument(record.client, reveal),
    verifier: reveal(record.verifier),
  };
}

export function decodePendingDocument(value: unknown): Outcome<PendingSignIn, CredentialDocumentFault> {
  const read = v.safeParse(pending, value);
  if (!read.success) return refuse(faultOf(value));
  const { version: _, ...record } = read.output;
  return accept(record);
}

function clientDocument(record: OauthClient, reveal: Reveal): Readonly<Record<string, unknown>> {
  const { clientSecret, privateKey } = record;
  return {
    ...record,
    ...(clientSecret !== undefined && { clientSecret: reveal(clientSecret) }),
    ...(privateKey !== undefined && { privateKey: reveal(privateKey) }),
  };
}

function faultOf(value: unknown): CredentialDocumentFault {
  const read = v.safeParse(v.object({ version: v.pipe(v.number(), v.safeInteger()) }), value);
  return read.success && read.output.version > CREDENTIAL_VERSION ? "too-new" : "corrupt";
}
