import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { canonicalResource } from "./canonical-url.ts";
import { isSecureEndpoint } from "./endpoint.ts";

/** What a person settled about the sign-in to one server. */
export interface SignInSetting {
  /** The one issuer that may issue tokens for it, character for character (U5). */
  readonly issuer?: string;
  /** Leave the `resource` parameter out, for an authorization server that rejects it (RFC 8707 says to send it). */
  readonly omitResource?: true;
}

/** By the canonical URL of the server: a name alone could be any other server's tomorrow. */
export type SignInSettings = ReadonlyMap<string, SignInSetting>;

export const SIGN_IN_SETTINGS_VERSION = 1;

const SERVERS_LIMIT = 1_000;

const document = v.strictObject({
  version: v.literal(SIGN_IN_SETTINGS_VERSION),
  servers: v.pipe(
    v.record(
      v.string(),
      v.strictObject({
        issuer: v.exactOptional(v.pipe(v.string(), v.maxLength(2_048), v.check(isSecureEndpoint))),
        omitResource: v.exactOptional(v.literal(true)),
      }),
    ),
    v.check((servers) => Object.keys(servers).length <= SERVERS_LIMIT),
  ),
});

/**
 * Decodes what a person wrote, strictly: a misspelled pin that is passed over would be no pin. `invalid` for an
 * unknown key, a URL that is none, one server under two spellings; nothing of it is quoted.
 */
export function decodeSignInSettings(value: unknown): Outcome<SignInSettings, "invalid"> {
  const read = v.safeParse(document, value);
  if (!read.success) return refuse("invalid");
  const settings = new Map<string, SignInSetting>();
  for (const [url, setting] of Object.entries(read.output.servers)) {
    const resource = canonicalResource(url);
    if (resource === undefined || settings.has(resource)) return refuse("invalid");
    settings.set(resource, setting);
  }
  return accept(settings);
}

/** What is settled about a server, by its URL in whatever spelling. */
export function signInSettingOf(settings: SignInSettings, url: string): SignInSetting {
  const resource = canonicalResource(url);
  return (resource === undefined ? undefined : settings.get(resource)) ?? {};
}
