/**
 * `sallyport/node`: everything composed for an application on Node, and the adapters it is composed of. Heavy
 * parts (the SDK, undici, child processes) load with the first server that needs them.
 *
 * @module
 */
export { createMcpHost } from "./host/create-mcp-host.ts";
export { McpHostError } from "./host/mcp-host-error.ts";
export type { HostServer, McpHost } from "./host/mcp-host.ts";
export type { HostCatalog, ServerState } from "./host/host-catalog.ts";
export type { CatalogChange } from "./host/catalog-reader.ts";
export type { ListKind } from "../domain/catalog/list-kind.ts";
export type { ListPush } from "../domain/session/list-push.ts";
export type { ShownStale, StaleReason } from "../domain/freshness/stale.ts";
export type { HostLists, HostParts, HostTimeouts, McpHostOptions } from "./host/host-options.ts";
export type { KeptResult } from "../domain/catalog/spilled-result.ts";
export type { ConnectionChange, ServerFailure } from "./host/connections.ts";
export type { ToolAnswer, ToolCallOptions } from "./host/call-by-name.ts";
export type { SignInChoices, SignInPage, SignInRequest, UnattendedSignIn } from "./host/sign-in-options.ts";
export { createFileOAuthCredentialStore } from "../adapters/files/credential-store.ts";
export { createFilePendingSignInStore } from "../adapters/files/pending-sign-in.ts";
export { createFileOAuthRefreshLock } from "../adapters/files/refresh-lock.ts";
export { createFileSignInSettings } from "../adapters/files/sign-in-settings.ts";
export { createKeychainCredentialStore } from "../adapters/keychain/credential-store.ts";
export { createGatewaySession } from "./serve/gateway.ts";
export type { GatewayHost, GatewayOptions, GatewaySession, ServerNotice } from "./serve/gateway.ts";
export { createSystemAccessTokenVerifier } from "./serve/system-token-verifier.ts";
export type { SystemTokenVerifier, SystemTokenVerifierOptions } from "./serve/system-token-verifier.ts";
export { createMcpTransport } from "./serve/stdio.ts";
export { createUndiciEgress } from "./host/lazy-egress.ts";
export type { UndiciEgressOptions } from "./host/lazy-egress.ts";
export { createSystemResolver } from "../adapters/node-dns/resolver.ts";
export { createProcessRunner } from "../adapters/child-process/process-runner.ts";
export { createHelperRunner } from "../adapters/child-process/helper-runner.ts";
export { createRedirectReceiver } from "../adapters/node-http/redirect-receiver.ts";
export { createFileApprovalStore } from "../adapters/files/approval-store.ts";
export { createFileAuditLog } from "../adapters/files/audit-log.ts";
export { createFileConfigSource } from "../adapters/files/config-source.ts";
export { createFilePinStore } from "../adapters/files/pin-store.ts";
export { createFileResultSpill } from "../adapters/files/result-spill.ts";
export { createFileWorkspaceRegistry } from "../adapters/files/workspace-registry.ts";
export { createExecutableFinder } from "../adapters/files/executable-search.ts";
export { createFileProbe } from "../adapters/files/file-probe.ts";
export { createSystemClock } from "../adapters/system/clock.ts";
export { createSystemRandom } from "../adapters/system/random.ts";
export { createMcpHttpHost, createMcpRemoteHttpHost } from "./serve/http-hosts.ts";
export type { McpHttpHost, McpHttpHostOptions } from "./serve/http-loopback-host.ts";
export type {
  McpRemoteHttpHost,
  McpRemoteHttpHostOptions,
  RemoteAuthorization,
} from "./serve/http-remote-host.ts";
export { HTTP_LIMITS } from "./serve/http-limits.ts";
export type { HttpLimits } from "../adapters/node-http/http-limits.ts";
export type { GateAudit } from "./serve/http-audit.ts";
export type { AddressClass, GateReason, GateRecord } from "../domain/gate/gate-record.ts";
