/**
 * `sallyport/client`: sessions with MCP servers, without any Node API. Bring the ports (an `Egress`, a
 * `ProcessRunner` …) and compose: admit, construct, open, discover, call.
 *
 * @module
 */
export { createSchemaValidator } from "../adapters/json-schema/validator.ts";
export type { Carrier } from "../adapters/mcp-sdk/carrier.ts";
export { createStdioAdapter } from "../adapters/mcp-sdk/stdio-adapter.ts";
export type {
  StdioActivation,
  StdioAdapter,
  StdioAdapterOptions,
  StdioAdmission,
} from "../adapters/mcp-sdk/stdio-adapter.ts";
export { createStreamableHttpAdapter } from "../adapters/mcp-sdk/streamable-http.ts";
export type {
  HttpAdmission,
  StreamableHttpAdapter,
  StreamableHttpOptions,
} from "../adapters/mcp-sdk/streamable-http.ts";
export { openMcpSession, SESSION_DEFAULTS } from "./open-session.ts";
export type { OpenMcpSessionOptions } from "./open-session.ts";
export type { CallOptions, Discovery, McpSession } from "./flows/mcp-session.ts";
export { buildCatalog } from "../domain/catalog/build.ts";
export { buildServerCatalog } from "../domain/catalog/build-server-catalog.ts";
export { decodeCallResult } from "../domain/catalog/content.ts";
export { resultText } from "../domain/catalog/result-text.ts";
export type {
  Catalog,
  CatalogPrompt,
  CatalogResource,
  CatalogTool,
  RejectedItem,
  ServerCatalog,
} from "../domain/catalog/catalog.ts";
export type { CallResult, ContentPart, SpilledResult } from "../domain/catalog/content-part.ts";
