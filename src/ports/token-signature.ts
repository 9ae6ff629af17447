import type { TokenAlgorithm } from "../domain/gate/access-token.ts";
import type { IssuerKey } from "../domain/gate/key-set.ts";

export interface ExpectedSignature {
  readonly algorithm: TokenAlgorithm;
  readonly key: IssuerKey;
  readonly issuer: string;
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** For deciding whether a token, whose header and claims were checked before, was signed with this very key (R9). */
export interface TokenSignature {
  isGenuine(token: string, expected: ExpectedSignature): Promise<boolean>;
}
