import { Secret } from "../secret.ts";
import { sha256Hex } from "../sha256.ts";
import { fromHex, toBase64Url } from "./bytes-text.ts";

/** What proves at the token endpoint that the one who redeems a code is the one who asked for it (RFC 7636). */
export interface ProofKey {
  readonly verifier: Secret;
  /** S256, as it stands in the authorization URL. */
  readonly challenge: string;
}

/** Makes a verifier of 43 characters out of 32 random bytes. */
export function makeProofKey(random: Uint8Array): ProofKey {
  const verifier = toBase64Url(random);
  return { verifier: new Secret(verifier), challenge: toBase64Url(fromHex(sha256Hex(verifier))) };
}
