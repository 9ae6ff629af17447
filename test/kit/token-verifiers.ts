import { TOKEN_REASONS } from "../../src/domain/gate/token-refusal.ts";
import { accept, refuse } from "../../src/domain/outcome.ts";
import type { AccessTokenVerifier, VerifiedToken } from "../../src/ports/access-token-verifier.ts";

/** As a verifier answers about a valid token. */
export const VERIFIED: VerifiedToken = {
  issuer: "https://issuer.example.com",
  subject: "person",
  clientId: "client",
  scopes: ["mcp:use", "other"],
  expiresAtMs: 1_900_000_000_000,
};

/**
 * Takes `valid` and `valid-<subject>`, refuses `refused-<reason>` for that reason and everything else for its
 * signature, and breaks at `throws`. Keeps what it was asked about.
 */
export class FakeTokenVerifier implements AccessTokenVerifier {
  readonly asked: string[] = [];

  verify: AccessTokenVerifier["verify"] = async (token) => {
    this.asked.push(token);
    if (token === "throws") throw new Error("canary of a verifier");
    if (token === "valid") return accept(VERIFIED);
    if (token === "without-scope") return accept({ ...VERIFIED, scopes: ["other"] });
    if (token === "without-expiry") return accept({ ...VERIFIED, expiresAtMs: Number.NaN });
    if (token === "over") return accept({ ...VERIFIED, expiresAtMs: 1 });
    if (token.startsWith("valid-")) return accept({ ...VERIFIED, subject: token.slice("valid-".length) });
    const reason = TOKEN_REASONS.find((known) => token === `refused-${known}`) ?? "signature";
    return refuse({ kind: "token", reason });
  };
}
