/**
 * `sallyport/server`: serving an agent session over MCP. So far this holds the shape of what is served; the
 * carriers arrive with the serving work.
 *
 * @module
 */
export type { JsonSchema } from "../domain/catalog/catalog.ts";
export { createAccessTokenVerifier } from "./access-token-verifier.ts";
export type { AccessTokenVerifierOptions } from "./access-token-verifier.ts";
export type { AccessTokenVerifier, VerifiedToken } from "../ports/access-token-verifier.ts";
export type { TokenAlgorithm } from "../domain/gate/access-token.ts";
export type { TokenReason, TokenRefusal } from "../domain/gate/token-refusal.ts";
