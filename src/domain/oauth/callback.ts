import { accept, refuse, type Outcome } from "../outcome.ts";
import { Secret } from "../secret.ts";
import { sha256Hex } from "../sha256.ts";
import type { AuthFault } from "./refusal.ts";

const URL_LIMIT_CHARS = 8_192;
const CODE = /^[\x20-\x7e]{1,4096}$/;

/** What a redirect has to match: the flow that asked for it, and no other. */
export interface ExpectedRedirect {
  readonly redirectUri: string;
  /** SHA-256 of the state in hex: comparing digests tells no clock where two states part. */
  readonly stateDigest: string;
  readonly issuer: string;
  /** The server's metadata says that every redirect carries `iss` (RFC 9207 section 3). */
  readonly promisesIssuer: boolean;
}

export function digestOfState(state: string): string {
  return sha256Hex(state);
}

/**
 * Checks a redirect, error responses included, before anything of it is shown or redeemed (U7). In this order:
 * it is for our redirect URI, without fragment and repeated parameters (`redirect-mismatch`); the state is ours
 * (`state-mismatch`); `iss` is the issuer, character for character, where sent (`issuer-mismatch`) or promised
 * (`issuer-missing`); it is no error (`authorization-denied`, `authorization-failed`); there is a code
 * (`code-missing`).
 */
export function checkCallback(redirectUrl: string, expected: ExpectedRedirect): Outcome<Secret, AuthFault> {
  const parameters = readParameters(redirectUrl, expected.redirectUri);
  if (parameters === undefined) return refuse({ reason: "redirect-mismatch" });
  const state = parameters.get("state");
  if (state === undefined || digestOfState(state) !== expected.stateDigest) {
    return refuse({ reason: "state-mismatch" });
  }
  const issuer = parameters.get("iss");
  if (issuer === undefined && expected.promisesIssuer) return refuse({ reason: "issuer-missing" });
  if (issuer !== undefined && issuer !== expected.issuer) return refuse({ reason: "issuer-mismatch" });
  const error = parameters.get("error");
  if (error !== undefined) {
    return refuse({ reason: error === "access_denied" ? "authorization-denied" : "authorization-failed" });
  }
  const code = parameters.get("code");
  return code !== undefined && CODE.test(code)
    ? accept(new Secret(code))
    : refuse({ reason: "code-missing" });
}

function readParameters(redirectUrl: string, redirectUri: string): ReadonlyMap<string, string> | undefined {
  const start = `${redirectUri}?`;
  if (redirectUrl.length > URL_LIMIT_CHARS || !redirectUrl.startsWith(start)) return undefined;
  const query = redirectUrl.slice(start.length);
  if (query.includes("#")) return undefined;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    // RFC 6749 section 3.1: no parameter more than once. Which of two is meant is not for us to choose.
    if (parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}
