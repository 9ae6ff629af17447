import type { CoveredField } from "../definition/covered-field.ts";
import type { DefinitionSource } from "../definition/definition.ts";

/** Who decided. Weight: managed > user > local. `project` and `plugin` can never decide (A4). */
export type ApprovalAuthority = "managed" | "user" | "local";

/** What an approval is about: all of it has to be equal at use (A2). */
export interface ActivationSubject {
  readonly serverId: string;
  readonly source: DefinitionSource;
  readonly provenance: {
    readonly kind: DefinitionSource;
    readonly origin: string;
    readonly fingerprint: string;
  };
  readonly securityIdentity: string;
  /** Absent for `managed` and `user` sources, present for every other. */
  readonly workspace?: WorkspaceBinding;
}

export interface WorkspaceBinding {
  /** See docs/decisions on what it is made of. 64 hex digits. */
  readonly repositoryIdentity: string;
  /** Grows when trust is withdrawn or the folder is replaced. */
  readonly generation: number;
}

/** The workspace as the host sees it now. */
export interface Workspace extends WorkspaceBinding {
  readonly trusted: boolean;
}

/** What the approver saw and fixed of a stdio launch, or of a headers helper (M2, U4). Values of variables are never in it. */
export interface ApprovedLaunchFacts {
  /** Canonical real path of the executable at approval. */
  readonly executable: string;
  /** Canonical working directory at approval. */
  readonly cwd: string;
  /** Definition env keys that may pass to the child, sorted. */
  readonly envKeys: readonly string[];
  /** Those of `envKeys` that change what code runs and were named one by one (M4), sorted. */
  readonly codeChangingEnvKeys: readonly string[];
  readonly allowShell: boolean;
}

export type ApprovalDecision = "approved" | "rejected" | "revoked";

export interface ApprovalRecord {
  readonly decision: ApprovalDecision;
  readonly authority: ApprovalAuthority;
  readonly subject: ActivationSubject;
  /** Only for approved servers that let a program run: over stdio, or for their headers. */
  readonly launch?: ApprovedLaunchFacts;
  /** What the fingerprint covered when it was decided, so that a later change can be told field by field. */
  readonly covered: readonly CoveredField[];
  readonly decidedAtMs: number;
}

/** The parts of a subject that can differ between a record and the definition of now. */
export type StalePart =
  | "source"
  | "origin"
  | "fingerprint"
  | "security-identity"
  | "repository"
  | "generation"
  | "executable"
  | "cwd";

/** A3. Only `approved` admits. */
export type ActivationStatus =
  | { readonly status: "approved"; readonly record: ApprovalRecord }
  | { readonly status: "pending" }
  | {
      readonly status: "stale";
      readonly differs: readonly StalePart[];
      /** The record that comes closest, so that the change can be told field by field. */
      readonly record: ApprovalRecord;
    }
  | { readonly status: "rejected" | "revoked"; readonly authority: ApprovalAuthority }
  | { readonly status: "untrusted" };

/** An admission that activation said no to. */
export interface ActivationRefusal {
  readonly kind: "activation";
  readonly reason: "pending" | "stale" | "rejected" | "revoked" | "untrusted";
  readonly serverId: string;
}

/** Everything the store holds, loaded once; inspecting it does no I/O. */
export interface ApprovalSnapshot {
  readonly records: readonly ApprovalRecord[];
}
