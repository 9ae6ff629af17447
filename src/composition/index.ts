/**
 * `sallyport`: the decisions, pure. Definitions, activation, egress and launch checks, the catalog, and the ports a
 * host fills. Nothing here reads a file, the environment, the clock or the network.
 *
 * @module
 */
export { accept, refuse } from "../domain/outcome.ts";
export type { Outcome } from "../domain/outcome.ts";
export { Secret } from "../domain/secret.ts";
export { HostFault } from "../domain/fault.ts";
export type { Refusal } from "../domain/refusal.ts";
export { describeRefusal } from "../domain/refusal-text.ts";

export { resolveServers } from "../domain/definition/resolve.ts";
export { applyOverlay } from "../domain/definition/overlay.ts";
export { coveredFields } from "../domain/definition/fingerprint.ts";
export { projectServer } from "../domain/definition/projection.ts";
export type { ServerProjection } from "../domain/definition/projection.ts";
export { maskCredentials } from "../domain/definition/mask.ts";
export { escapeForDisplay } from "../domain/display-text.ts";
export type { Container, SourceProblem, SourceWarning } from "../domain/definition/container.ts";
export { formatOfPath } from "../domain/definition/foreign/format.ts";
export type { ConfigFormat, KnownFolders } from "../domain/definition/foreign/format.ts";
export type { DefinitionSource, ServerDefinition, ToolFilter } from "../domain/definition/definition.ts";
export type { Environment, Resolution, ResolvedServer } from "../domain/definition/resolution.ts";

export { activationSubject } from "../domain/activation/subject.ts";
export { decideApproval } from "../domain/activation/decide.ts";
export { matchActivation } from "../domain/activation/match.ts";
export { fieldChanges } from "../domain/activation/field-changes.ts";
export type {
  ActivationStatus,
  ActivationSubject,
  ApprovalRecord,
  ApprovalSnapshot,
  Workspace,
} from "../domain/activation/approval.ts";
export type { PinPolicy, ToolChange, ToolPin } from "../domain/activation/pins.ts";
export type { AuditEvent } from "../domain/activation/audit-event.ts";

export { admitTarget } from "../domain/egress/target.ts";
export type { AdmittedTarget, EgressPolicy } from "../domain/egress/target.ts";
export { judgeAddress } from "../domain/egress/address.ts";

export { catalogName } from "../domain/catalog/tool-name.ts";
export { narrowSchema } from "../domain/catalog/narrow-schema.ts";
export { profileSchema } from "../domain/catalog/profile-schema.ts";
export type { ProfiledSchema } from "../domain/catalog/profile-schema.ts";
export type { SchemaProfile } from "../domain/catalog/profile-rules.ts";

export type { ApprovalStore, StoreRefusal, WorkspaceRegistry } from "../ports/approval-store.ts";
export type { AuditLog, AuditSink } from "../ports/audit-sink.ts";
export type { Authenticator, Authorization, Rejection } from "../ports/authenticator.ts";
export type { AuthorizationServer } from "../ports/authorization-server.ts";
export type { CredentialStore, CredentialStoreRefusal } from "../ports/credential-store.ts";
export type { HelperRunner } from "../ports/helper-runner.ts";
export type { PendingSignInStore } from "../ports/pending-sign-in-store.ts";
export type { OpenRedirect, RedirectReceiver } from "../ports/redirect-receiver.ts";
export type { RefreshLease, RefreshLock } from "../ports/refresh-lock.ts";
export type { SignInSettingsSource } from "../ports/sign-in-settings-source.ts";
export type { AuthState, Credential, CredentialKey } from "../domain/oauth/credential.ts";
export type { AuthRefusal } from "../domain/oauth/refusal.ts";
export type { ConfiguredClient } from "../domain/oauth/registration.ts";
export type { Clock } from "../ports/clock.ts";
export type { ConfigPlace, ConfigSource } from "../ports/config-source.ts";
export { EgressError } from "../ports/egress.ts";
export type { Egress, EgressRequest, EgressResponse } from "../ports/egress.ts";
export type { ExecutableFinder, FoundExecutable } from "../ports/executable-finder.ts";
export type { McpPeer, PeerFailure, ProtocolSelection } from "../ports/mcp-peer.ts";
export type { FileProbe, ProcessRunner, RunningProcess } from "../ports/process-runner.ts";
export type { Random } from "../ports/random.ts";
export type { PinStore } from "../ports/pin-store.ts";
export type { ResultSpill } from "../ports/result-spill.ts";
export type { Resolver } from "../ports/resolver.ts";
export type { SchemaValidator } from "../ports/schema-validator.ts";
export type { LaunchGrant, LaunchRequest, StdioAuthority } from "../ports/stdio-authority.ts";
