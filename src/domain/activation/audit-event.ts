import type { DefinitionSource } from "../definition/definition.ts";

/** What happened. Closed set; sign-in events arrive with authentication (A6). */
export type AuditAction =
  | "approve"
  | "reject"
  | "revoke"
  | "trust"
  | "untrust"
  | "admission-refused"
  | "connection-closed";

/** One line of the audit log. Never an endpoint, header, argument or token. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly atMs: number;
  readonly serverId?: string;
  readonly source?: DefinitionSource;
  readonly fingerprint?: string;
  readonly securityIdentity?: string;
  readonly repositoryIdentity?: string;
  readonly generation?: number;
  readonly authority?: "managed" | "user" | "local";
  /** `kind/reason` of the refusal, or the decision's own closed reason. */
  readonly reason?: string;
}
