import { createSecretMask } from "../../domain/definition/known-secrets.ts";
import type { HeaderPair } from "../../domain/http/headers.ts";
import { parseBearerChallenge, type BearerChallenge } from "../../domain/oauth/challenge.ts";
import type { Authenticator } from "../../ports/authenticator.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import { createServerWords, type ServerWords } from "./server-words.ts";

/** How many authorizations a server's words are masked for: more than can be under way at once. */
const REMEMBERED = 8;

/** What one connection knows about authentication. Holds secrets: kept in private fields only. */
export interface HttpAuthentication {
  readonly authenticator: Authenticator | undefined;
  /** The definition asks for it: nothing ever goes without (U3). */
  readonly required: boolean;
  /** The server has asked for it, or has got it: from then on nothing goes without (U2). */
  readonly asked: boolean;
  /** What the newest 401 or 403 asked for, well-formed. Untrusted: a sign-in checks it (U5). */
  readonly challenge: BearerChallenge | undefined;
  /** What may be kept of the server's words: without the secrets of the definition and of what was sent (D17). */
  readonly words: ServerWords;
  /** What a 401 or 403 asks for, without the secrets that it may repeat. Reads no body. */
  read(response: EgressResponse): BearerChallenge | undefined;
  /** Notes what a response asks for, if it is a 401 or 403. */
  note(response: EgressResponse): void;
  /** Takes headers that are about to be sent for secrets. */
  remember(generation: string, headers: readonly HeaderPair[]): void;
}

export function createHttpAuthentication(options: {
  readonly authenticator: Authenticator | undefined;
  readonly required: boolean;
  /** Of the definition. */
  readonly secrets: readonly string[];
}): HttpAuthentication {
  const sent = new Map<string, readonly HeaderPair[]>();
  let challenge: BearerChallenge | undefined;
  let asked = false;
  // Made with the first words: most connections never have any.
  let words: ServerWords | undefined;
  const secrets = (): readonly string[] => [
    ...options.secrets,
    ...[...sent.values()].flatMap((headers) => headers.map(([, value]) => value)),
  ];
  const read = (response: EgressResponse): BearerChallenge | undefined => {
    const asks = parseBearerChallenge(response.headerValues("www-authenticate"));
    return asks && withoutSecrets(asks, createSecretMask(secrets()));
  };
  return {
    authenticator: options.authenticator,
    required: options.required,
    get asked() {
      return asked;
    },
    get challenge() {
      return challenge;
    },
    words(text) {
      words ??= createServerWords(secrets());
      return words(text);
    },
    read,
    note(response) {
      if (response.status !== 401 && response.status !== 403) return;
      challenge = read(response);
      asked ||= response.status === 401 || challenge !== undefined;
    },
    remember(generation, headers) {
      asked = true;
      if (sent.has(generation)) return;
      sent.set(generation, headers);
      words = undefined;
      const oldest = sent.keys().next().value;
      if (sent.size > REMEMBERED && oldest !== undefined) sent.delete(oldest);
    },
  };
}

/** Scopes are shown to people, and a link is stored: a server may say in either what it was sent (D17). */
function withoutSecrets(challenge: BearerChallenge, mask: (text: string) => string): BearerChallenge {
  const isClean = (text: string): boolean => mask(text) === text;
  const { resourceMetadata: link, scopes } = challenge;
  return {
    ...challenge,
    scopes: scopes.filter((scope) => isClean(scope)),
    resourceMetadata: link !== undefined && isClean(link) ? link : undefined,
  };
}
