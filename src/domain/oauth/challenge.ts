import { parseScopeText } from "./scopes.ts";

/** The `Bearer` challenge of a 401 or 403 (RFC 6750 section 3, RFC 9728 section 5.1), as far as it is well-formed. */
export interface BearerChallenge {
  readonly resourceMetadata: string | undefined;
  readonly scopes: readonly string[];
  readonly error: "invalid_request" | "invalid_token" | "insufficient_scope" | undefined;
}

const VALUES_LIMIT = 16;
const VALUE_LIMIT_CHARS = 8_192;
const LINK_LIMIT_CHARS = 2_048;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const END = "(?=[ \\t]*(?:,|$))";
const QUOTED = String.raw`"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"`;
const PARAMETER = new RegExp(`(${TOKEN})[ \\t]*=[ \\t]*(?:${QUOTED}|(${TOKEN}))${END}`, "y");
const SCHEME = new RegExp(`(${TOKEN})(?: +|${END})`, "y");
const TOKEN68 = new RegExp(`[A-Za-z0-9._~+/-]+=*${END}`, "y");
const SEPARATOR = /[ \t]*(?:,[ \t,]*|$)/y;

interface Challenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
  /** A parameter came twice: which one counts is nobody's to guess. */
  repeated: boolean;
}

/**
 * Parses `WWW-Authenticate` (RFC 9110 section 11.6.1): several schemes, in one value or in many, in any
 * order. Answers the first `Bearer` challenge. A malformed value says nothing at all; a challenge that
 * repeats a parameter is passed over. Bounded: 16 values of 8,192 characters.
 */
export function parseBearerChallenge(headerValues: readonly string[]): BearerChallenge | undefined {
  for (const value of headerValues.slice(0, VALUES_LIMIT)) {
    const bearer = parseChallenges(value)?.find(
      ({ scheme, repeated }) => scheme.toLowerCase() === "bearer" && !repeated,
    );
    if (bearer !== undefined) return readBearer(bearer.parameters);
  }
  return undefined;
}

function readBearer(parameters: ReadonlyMap<string, string>): BearerChallenge {
  const link = parameters.get("resource_metadata");
  return {
    resourceMetadata: link !== undefined && link.length <= LINK_LIMIT_CHARS ? link : undefined,
    scopes: parseScopeText(parameters.get("scope") ?? "") ?? [],
    error: readError(parameters.get("error")),
  };
}

const ERRORS = ["invalid_request", "invalid_token", "insufficient_scope"] as const;

function readError(word: string | undefined): BearerChallenge["error"] {
  return ERRORS.find((known) => known === word);
}

function parseChallenges(value: string): readonly Challenge[] | undefined {
  if (value.length > VALUE_LIMIT_CHARS) return undefined;
  const challenges: Challenge[] = [];
  let position = take(/[ \t,]*/y, value, 0)?.next ?? 0;
  while (position < value.length) {
    const next = readElement(value, position, challenges);
    if (next === undefined) return undefined;
    position = next;
  }
  return challenges;
}

/** Reads one parameter, or one scheme with the token that may follow it. Answers where the next element is. */
function readElement(value: string, position: number, challenges: Challenge[]): number | undefined {
  const current = challenges.at(-1);
  const parameter = take(PARAMETER, value, position);
  if (parameter !== undefined) {
    if (current === undefined) return undefined;
    addParameter(current, parameter.match);
    return take(SEPARATOR, value, parameter.next)?.next;
  }
  const scheme = take(SCHEME, value, position);
  if (scheme === undefined) return undefined;
  challenges.push({ scheme: scheme.match[1] ?? "", parameters: new Map(), repeated: false });
  if (take(PARAMETER, value, scheme.next) !== undefined) return scheme.next;
  const token68 = value[scheme.next - 1] === " " ? take(TOKEN68, value, scheme.next) : undefined;
  return take(SEPARATOR, value, token68?.next ?? scheme.next)?.next;
}

function addParameter(challenge: Challenge, [, name = "", quoted, plain]: RegExpExecArray): void {
  const key = name.toLowerCase();
  if (challenge.parameters.has(key)) challenge.repeated = true;
  challenge.parameters.set(key, quoted === undefined ? (plain ?? "") : quoted.replace(/\\(.)/gs, "$1"));
}

function take(
  pattern: RegExp,
  value: string,
  position: number,
): { readonly match: RegExpExecArray; readonly next: number } | undefined {
  pattern.lastIndex = position;
  const match = pattern.exec(value);
  return match === null ? undefined : { match, next: pattern.lastIndex };
}
