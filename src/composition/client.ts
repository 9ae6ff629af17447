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
export { createDiscoveredTool } from "./flows/call-tool.ts";
export type { DiscoveredTool } from "./flows/call-tool.ts";
export { openMcpSession, SESSION_DEFAULTS } from "./open-session.ts";
export type { OpenMcpSessionOptions } from "./open-session.ts";
export type { CallOptions, Discovery, McpSession, SessionCallFailure } from "./flows/mcp-session.ts";
export { McpConnectionSupervisor } from "./flows/supervise.ts";
export type { ConnectionListener } from "./flows/supervise.ts";
export { SUPERVISOR_DEFAULTS } from "./flows/supervise-options.ts";
export type { ConnectionFailure, OpenConnection, SupervisorOptions } from "./flows/supervise-options.ts";
export type { ConnectionState, ReconnectPolicy } from "../domain/supervision/transition.ts";
export {
  createOAuthAuthenticator,
  runMcpClientCredentials,
  runMcpOAuthLogin,
  runMcpOAuthLogout,
} from "./authentication.ts";
export { createAuthorizationServerClient } from "./authorization-server-client.ts";
export type { AuthorizationServerOptions } from "./authorization-server-client.ts";
export type { LoginOptions } from "./flows/oauth/login.ts";
export type { SignedIn } from "./flows/oauth/complete-sign-in.ts";
export type { ClientCredentialsOptions } from "./flows/oauth/client-credentials.ts";
export type { LogoutOptions, Revocation } from "./flows/oauth/logout.ts";
export type { OauthAuthenticatorOptions } from "./flows/oauth/oauth-authenticator.ts";
export { credentialKeyOf } from "./flows/oauth/oauth-server.ts";
export type { OauthPorts, OauthServer } from "./flows/oauth/oauth-server.ts";
export { createHeadersHelperAuthenticator } from "./flows/headers-helper-authenticator.ts";
export type { HeadersHelperOptions } from "./flows/headers-helper-authenticator.ts";
export type { AllowedHelper, HelperPermission } from "./flows/helper-launch.ts";
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
export type { Ask, AskPrompt } from "../ports/ask.ts";
export type {
  ElicitationForm,
  FormAnswer,
  FormField,
  FormOption,
  FormValue,
} from "../domain/elicitation/form.ts";
export type { ElicitationRefusal } from "../domain/elicitation/refusal.ts";
export type { RejectedSkill, SkillFailure, SkillListing, SkillsView } from "./flows/skills-view.ts";
export type { SkillEntry, SkillFile, SkillManifest } from "../domain/skills/skill.ts";
export type { SkillFileContent } from "../domain/skills/contents.ts";
export type { SkillRefusal } from "../domain/skills/refusal.ts";
export type { ListKind } from "../domain/catalog/list-kind.ts";
export type { ListPush } from "../domain/session/list-push.ts";
export type { CallResult, ContentPart, SpilledResult } from "../domain/catalog/content-part.ts";
