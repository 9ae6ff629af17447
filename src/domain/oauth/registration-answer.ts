import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { Secret } from "../secret.ts";
import type { ClientAuthentication, OauthClient } from "./credential.ts";
import type { AuthFault } from "./refusal.ts";

const TEXT_LIMIT_CHARS = 4_096;
const LIST_LIMIT = 16;

/** RFC 7591 section 2, as much as we ask for. */
export interface RegistrationRequest {
  readonly registrationEndpoint: string;
  readonly metadata: {
    readonly client_name: string;
    readonly application_type: "native";
    readonly redirect_uris: readonly string[];
    readonly grant_types: readonly string[];
    readonly response_types: readonly string[];
    readonly token_endpoint_auth_method: ClientAuthentication;
  };
}

/** What the registration endpoint answered, decoded and not yet compared with what was asked. */
export interface RegistrationAnswer {
  readonly clientId: string;
  readonly clientSecret?: Secret;
  /** Seconds since the epoch; absent or 0: never. */
  readonly secretExpiresAtS?: number;
  readonly redirectUris?: readonly string[];
  readonly authentication?: string;
}

const text = v.pipe(v.string(), v.maxLength(TEXT_LIMIT_CHARS), v.regex(/^[\x20-\x7e]+$/));
const answer = v.object({
  client_id: text,
  client_secret: v.optional(text),
  client_secret_expires_at: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  redirect_uris: v.optional(v.pipe(v.array(text), v.maxLength(LIST_LIMIT))),
  token_endpoint_auth_method: v.optional(text),
});

/** Decodes a registration answer (RFC 7591 section 3.2.1). The refusal names a field, never its value. */
export function decodeRegistrationAnswer(value: unknown): Outcome<RegistrationAnswer, AuthFault> {
  const read = v.safeParse(answer, value);
  if (!read.success) {
    const key = read.issues[0].path?.[0].key;
    const known = typeof key === "string" && key in answer.entries;
    return refuse({ reason: "registration-failed", ...(known && { field: key }) });
  }
  const found = read.output;
  return accept({
    clientId: found.client_id,
    ...(found.client_secret !== undefined && { clientSecret: new Secret(found.client_secret) }),
    ...(found.client_secret_expires_at !== undefined && { secretExpiresAtS: found.client_secret_expires_at }),
    ...(found.redirect_uris !== undefined && { redirectUris: found.redirect_uris }),
    ...(found.token_endpoint_auth_method !== undefined && {
      authentication: found.token_endpoint_auth_method,
    }),
  });
}

const METHODS: readonly ClientAuthentication[] = ["none", "client_secret_basic", "client_secret_post"];

/**
 * Compares an answer with its request: redirect URIs that are not ours are refused
 * (`registration-redirect-mismatch`), as is a method that this client cannot do (`registration-failed`).
 * A secret that comes with the method `none` is not kept.
 */
export function checkRegistration(
  given: RegistrationAnswer,
  { metadata }: RegistrationRequest,
): Outcome<OauthClient, AuthFault> {
  const uris = given.redirectUris ?? metadata.redirect_uris;
  const ours = metadata.redirect_uris;
  if (!ours.every((uri) => uris.includes(uri)) || !uris.every((uri) => ours.includes(uri))) {
    return refuse({ reason: "registration-redirect-mismatch", field: "redirect_uris" });
  }
  const method = given.authentication ?? metadata.token_endpoint_auth_method;
  const authentication = METHODS.find((known) => known === method);
  if (authentication === undefined) {
    return refuse({ reason: "registration-failed", field: "token_endpoint_auth_method" });
  }
  const { clientSecret, secretExpiresAtS = 0 } = given;
  if (authentication !== "none" && clientSecret === undefined) {
    return refuse({ reason: "registration-failed", field: "client_secret" });
  }
  const keepsSecret = authentication !== "none" && clientSecret !== undefined;
  return accept({
    clientId: given.clientId,
    origin: "dynamic",
    authentication,
    ...(keepsSecret && { clientSecret }),
    redirectUris: ours,
    ...(keepsSecret && secretExpiresAtS > 0 && { secretExpiresAtMs: secretExpiresAtS * 1_000 }),
  });
}
