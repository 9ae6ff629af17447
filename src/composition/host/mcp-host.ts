import type {
  ActivationStatus,
  ApprovalAuthority,
  ApprovalRecord,
  Workspace,
} from "../../domain/activation/approval.ts";
import type { ToolChange } from "../../domain/activation/pins.ts";
import type { AuditEvent } from "../../domain/activation/audit-event.ts";
import type { FieldChange } from "../../domain/activation/field-changes.ts";
import type { SourceProblem, SourceWarning } from "../../domain/definition/container.ts";
import type { ResolvedServer } from "../../domain/definition/resolution.ts";
import type { ApprovalProposal } from "../../domain/host/approval-proposal.ts";
import type { KeptResult } from "../../domain/catalog/spilled-result.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { AuthState } from "../../domain/oauth/credential.ts";
import type { SignedIn } from "../flows/oauth/complete-sign-in.ts";
import type { ConnectionState } from "../../domain/supervision/transition.ts";
import type { Revocation } from "../flows/oauth/logout.ts";
import type { ApprovalTerms } from "../flows/propose-approval.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import type { ConnectionChange, ServerFailure } from "./connections.ts";
import type { ListKind } from "../../domain/catalog/list-kind.ts";
import type { CatalogChange } from "./catalog-reader.ts";
import type { HostCatalog } from "./host-catalog.ts";
import type { SignInChoices, SignInPage, SignInRequest, UnattendedSignIn } from "./sign-in-options.ts";
import type { ToolAnswer, ToolCallOptions } from "./call-by-name.ts";

/** One configured server, and whether it may be used. */
export interface HostServer {
  readonly server: ResolvedServer;
  /** Absent where there is no definition to approve. */
  readonly approval: ActivationStatus | undefined;
}

/** A host's whole view of its MCP servers. Everything it refuses is a value; it rejects for aborts and machine faults. */
export interface McpHost {
  /** Every configured name, sorted. No I/O. */
  servers(): readonly HostServer[];
  server(name: string): HostServer | undefined;
  readonly sourceProblems: readonly SourceProblem[];
  readonly sourceWarnings: readonly SourceWarning[];
  readonly workspace: Workspace | undefined;
  /** Reads configuration, approvals and workspace again; closes what is not approved any more (A6b). */
  reload(): Promise<void>;
  /** What an approver has to see. Starts, contacts and writes nothing. */
  propose(name: string, terms?: Partial<ApprovalTerms>): Promise<Outcome<ApprovalProposal, Refusal>>;
  /** Field by field, what changed since the newest approval of this server in this workspace. No I/O. */
  changes(name: string): readonly FieldChange[];
  /**
   * Records a person's yes. Give the proposal that the person saw: a definition or file that changed since then is
   * refused, not approved. Default authority `user`.
   */
  approve(
    name: string,
    options?: Partial<ApprovalTerms> & {
      readonly authority?: ApprovalAuthority;
      readonly seen?: ApprovalProposal;
    },
  ): Promise<Outcome<ApprovalRecord, Refusal>>;
  reject(
    name: string,
    options?: { readonly authority?: ApprovalAuthority },
  ): Promise<Outcome<ApprovalRecord, Refusal>>;
  revoke(
    name: string,
    options?: { readonly authority?: ApprovalAuthority },
  ): Promise<Outcome<ApprovalRecord, Refusal>>;
  /** Gives trust to the workspace, or takes it away. */
  setTrusted(trusted: boolean): Promise<Outcome<Workspace, Refusal>>;
  /**
   * A live session; callers share it. It closes with the host, when its approval goes, or when it was unused for
   * `timeouts.idleMs`: ask for it again at each use. A failure is that of one attempt.
   */
  connect(
    name: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Outcome<McpSession, ServerFailure>>;
  /** How the connection to a server stands: `idle` also where nobody used it yet (V1). No I/O. */
  connectionState(name: string): ConnectionState;
  /**
   * Adds a listener for every change of that: lost, tried again, back, closed for being idle. What it throws is ignored.
   * Answers how to remove it.
   */
  onConnectionChanged(listener: (change: ConnectionChange) => void): () => void;
  /**
   * Connects the named servers (default: every server that is approved) side by side and lists them. A list that was read
   * is kept while it is good; one that its server announced as changed is waited for up to 2 s, and then comes as it was,
   * marked `stale` (V4).
   */
  catalog(options?: {
    readonly names?: readonly string[];
    /** What to list. Default: everything. */
    readonly kinds?: readonly ListKind[];
    readonly signal?: AbortSignal;
  }): Promise<HostCatalog>;
  /**
   * Adds a listener for lists that changed after they were handed out (V4): once for each real change, after it was read
   * and held against the pins. It names the server and the list; `catalog` has the rest. What it throws is ignored.
   * Answers what removes it.
   */
  onCatalogChanged(listener: (change: CatalogChange) => void): () => void;
  /**
   * Pins tools as a person saw them in a catalog's `changes`, all of one server (A7). Refuses with `changed-meanwhile`, and
   * pins none, when others are pinned by now than those that were compared.
   */
  acceptTools(name: string, changes: readonly ToolChange[]): Promise<Outcome<true, Refusal>>;
  /** Calls a tool by its catalog name, connecting only servers whose name it can carry. */
  call(tool: string, args: unknown, options?: ToolCallOptions): Promise<Outcome<ToolAnswer, ServerFailure>>;
  /** Reads a result that was too large to hand over back, whole, by its `spilled.reference` (K7). Contacts nobody. */
  result(reference: string, call?: { readonly signal?: AbortSignal }): Promise<Outcome<KeptResult, Refusal>>;
  /**
   * Signs in to an approved server with a person at hand (U5–U8): listens on 127.0.0.1, has the page shown, waits
   * for the redirect, checks and redeems it, stores what came. Contacts nobody before the approval.
   */
  signIn(name: string, request: SignInRequest): Promise<Outcome<SignedIn, Refusal>>;
  /**
   * The first of two steps, for a browser that cannot reach this machine: keeps the sign-in sealed in Sallyport's
   * home for 10 minutes, in the place of one that was begun before. Listens nowhere.
   */
  beginSignIn(name: string, choices?: SignInChoices): Promise<Outcome<SignInPage, Refusal>>;
  /** The second step, in this process or another one: with the URL that the browser was sent to. Once. */
  completeSignIn(
    name: string,
    redirect: { readonly redirectUrl: string; readonly signal?: AbortSignal },
  ): Promise<Outcome<SignedIn, Refusal>>;
  /** Signs in as the client itself, without a person (U13): by its secret or private key. */
  signInUnattended(name: string, request: UnattendedSignIn): Promise<Outcome<SignedIn, Refusal>>;
  /** Removes the credential of a server, approved or not, and then asks its issuer to revoke it (U11). */
  signOut(
    name: string,
    call?: { readonly signal?: AbortSignal },
  ): Promise<Outcome<{ readonly revocation: Revocation }, Refusal>>;
  /** How a server stands, in one word out of its stored record (U12). Contacts nobody. */
  authState(name: string, call?: { readonly signal?: AbortSignal }): Promise<Outcome<AuthState, Refusal>>;
  /** Every decision so far, oldest first. */
  audit(options?: { readonly signal?: AbortSignal }): AsyncIterable<AuditEvent>;
  /** Ends every connection and child. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
