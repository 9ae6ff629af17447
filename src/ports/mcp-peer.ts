import type { ListKind } from "../domain/catalog/list-kind.ts";
import type { ElicitationForm, FormAnswer } from "../domain/elicitation/form.ts";
import type { AskReason, ElicitationRefusal } from "../domain/elicitation/refusal.ts";
import type { EgressFailure, EgressRefusal } from "../domain/egress/refusal.ts";
import type { StdioRefusal } from "../domain/launch/refusal.ts";
import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { PeerIdentity } from "../domain/session/identity.ts";
import type { CarrierPush } from "../domain/session/list-push.ts";
import type { SessionRefusal, SessionStage } from "../domain/session/refusal.ts";

export type { PeerIdentity } from "../domain/session/identity.ts";
export type { ProtocolEra } from "../domain/session/result.ts";

/** How a host asks for an era (C1). `auto` lets the server decide once a connection. */
export type ProtocolSelection = "legacy" | "2026-07-28" | "auto";

/** What can come back instead of a result. `untrusted` holds the server's own words, cleaned and cut. */
export interface PeerFailure {
  readonly refusal:
    | SessionRefusal
    | ElicitationRefusal
    | AuthRefusal
    | EgressRefusal
    | EgressFailure
    | StdioRefusal;
  readonly untrusted?: { readonly message: string; readonly code?: number };
}

/**
 * Puts one form to somebody. Answers what fits the form, or why nothing may be sent. The signal ends with the request
 * that it belongs to, or when the server withdraws the form. Never rejects.
 */
export type Elicit = (
  form: ElicitationForm,
  options: { readonly signal: AbortSignal },
) => Promise<Outcome<FormAnswer, AskReason>>;

export interface PeerRequestOptions {
  readonly signal: AbortSignal;
  readonly stage: SessionStage;
  /** Restarts with progress that grows (C7b). Milliseconds. */
  readonly timeoutMs: number;
  /** Never restarts. Milliseconds. */
  readonly maxTotalMs: number;
  /** Called for progress that grows, while the request runs. What it throws is ignored. */
  readonly onProgress?: (progress: PeerProgress) => void;
  /** Bytes that this request's own answer may take, where that is more than the connection takes of any (S4). */
  readonly receiveLimitBytes?: number;
  /**
   * Headers for exactly this request, where the carrier is HTTP: trace context, which its cancellation gets too (H5),
   * and `mcp-param-*` (K5b). Names in lower case.
   */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /**
   * Puts what the server asks in the middle of a `call` (C7), one form at a time; while somebody thinks, `timeoutMs`
   * stands still. Used where the connection declares elicitation. Left out: nobody is asked, and a server of
   * 2026-07-28 is told so with the request.
   */
  readonly elicit?: Elicit;
}

export interface PeerProgress {
  readonly progress: number;
  readonly total?: number;
  /** Untrusted text, cleaned and cut. */
  readonly message?: string;
}

export interface SubscribeOptions {
  /** Ends the subscription, on the server too. */
  readonly signal: AbortSignal;
  /** The server agreed, perhaps to less than was asked. Called at most once. */
  readonly onAcknowledged: (kinds: readonly ListKind[]) => void;
  /** The server says, on this subscription, that a list changed. What it throws is ignored. */
  readonly onChanged: (kind: ListKind) => void;
}

/**
 * How a subscription ended: `ended` or aborted, the network or the server `failed` for now, or the server `refused`
 * and would refuse again.
 */
export type SubscriptionEnd = "ended" | "failed" | "refused";

/** For talking to one MCP server over one admitted connection. Results are raw: admitted item by item later. */
export interface McpPeer {
  /** As agreed last: see {@link McpPeer.onRenewed}. */
  readonly identity: PeerIdentity;
  /** How its messages travel. */
  readonly carrier: "http" | "stdio";
  /**
   * Sends one request. Keys of `params._meta` under `io.modelcontextprotocol/` are dropped (C6b).
   *
   * An abort of a list or a read rejects with `signal.reason`, and so does every abort before anything was
   * sent; nothing else rejects. An abort or a deadline of a `call` that was sent answers
   * `session/outcome-unknown` (C8). The server is told in fixed words.
   */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: PeerRequestOptions,
  ): Promise<Outcome<Readonly<Record<string, unknown>>, PeerFailure>>;
  /**
   * Adds a listener for what the server sent unasked, by method; progress is not among it. It never starts
   * anything by itself (C9). Parameters are untrusted. What a listener throws is ignored.
   */
  onNotification(listener: (method: string, params: unknown) => void): void;
  /**
   * Opens one subscription to changes of these lists (2026-07-28, `subscriptions/listen`) and resolves once it is over.
   * Only what names this very subscription counts. Never rejects. In the older era nothing is sent: `refused`.
   */
  subscribe(kinds: readonly ListKind[], options: SubscribeOptions): Promise<SubscriptionEnd>;
  /** Whether the server can say something unasked outside of a subscription: stdio, or the older era's GET stream. */
  readonly push: CarrierPush;
  /** Adds a listener for each change of {@link McpPeer.push}. */
  onPush(listener: (push: CarrierPush) => void): void;
  /** Adds a listener for an expired session that was replaced: what was listed before may be gone (H3c). */
  onRenewed(listener: () => void): void;
  /** What {@link McpPeer.closed} settles with, as soon as it is known: before any request fails of it. */
  readonly ended: PeerFailure | undefined;
  /** Settles once, with what ended the connection (`session/closed` when we did). Never rejects. */
  readonly closed: Promise<PeerFailure>;
  /** Idempotent; ends the server's session where there is one, the carrier, and every request. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
