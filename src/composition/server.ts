/**
 * `sallyport/server`: serving an agent session over MCP, and judging the tokens of who calls, without any Node API.
 * Listeners and the process's own streams are in `sallyport/node`.
 *
 * @module
 */
export { createAgentMcpServer, createMcpRequestHandler, createMcpTransport } from "./serve-agent.ts";
export type { AgentRequestHandler, ServeAgentOptions } from "./serve-agent.ts";
export type { McpTransport } from "./flows/serve-transport.ts";
export { McpServeError } from "../domain/serve/serve-error.ts";
export type { ServeErrorCode } from "../domain/serve/serve-error.ts";
export type { ServedCatalogReason, ServedCatalogRefusal } from "../domain/serve/refusal.ts";
export type {
  AgentAnswer,
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentTool,
  InvocationOptions,
} from "../ports/agent-session.ts";
export type { AgentMcpServer } from "../adapters/mcp-server-sdk/sdk-server.ts";
export type { RequestContext } from "../adapters/mcp-server-sdk/request-handler.ts";
export type { ConnectionClose } from "../ports/agent-connection.ts";
export type { JsonSchema } from "../domain/catalog/catalog.ts";
export { createAccessTokenVerifier } from "./access-token-verifier.ts";
export type { AccessTokenVerifierOptions } from "./access-token-verifier.ts";
export type { AccessTokenVerifier, VerifiedToken } from "../ports/access-token-verifier.ts";
export type { TokenAlgorithm } from "../domain/gate/access-token.ts";
export type { TokenReason, TokenRefusal } from "../domain/gate/token-refusal.ts";
