import type { EgressFailure, EgressRefusal } from "../domain/egress/refusal.ts";
import type { StdioRefusal } from "../domain/launch/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { SessionRefusal, SessionStage } from "../domain/session/refusal.ts";

export type ProtocolEra = "legacy" | "modern";

/** How a host asks for an era (C1). `auto` lets the server decide once a connection. */
export type ProtocolSelection = "legacy" | "2026-07-28" | "auto";

export interface PeerIdentity {
  readonly era: ProtocolEra;
  /** The revision that was agreed. */
  readonly protocolVersion: string;
  /** Name and version as the server gave them: untrusted text, cleaned and cut. */
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** Declared capabilities, by name; values are untrusted JSON. */
  readonly capabilities: ReadonlyMap<string, unknown>;
  readonly instructions: string | undefined;
}

/** What can come back instead of a result. `untrusted` holds the server's own words, cleaned and cut. */
export interface PeerFailure {
  readonly refusal: SessionRefusal | EgressRefusal | EgressFailure | StdioRefusal;
  readonly untrusted?: { readonly message: string; readonly code?: number };
}

export interface PeerRequestOptions {
  readonly signal: AbortSignal;
  readonly stage: SessionStage;
  /** Restarts with progress (C7b). Milliseconds. */
  readonly timeoutMs: number;
  /** Never restarts. Milliseconds. */
  readonly maxTotalMs: number;
  readonly onProgress?: (progress: PeerProgress) => void;
  /** Answers `session/input-required` or the raw round (elicitation work) when the server asks for input. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export interface PeerProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** For talking to one MCP server over one admitted connection. Results are raw: admitted item by item later. */
export interface McpPeer {
  readonly identity: PeerIdentity;
  /** Rejects only with `signal.reason`. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: PeerRequestOptions,
  ): Promise<Outcome<Readonly<Record<string, unknown>>, PeerFailure>>;
  /** Notifications that the server sent, by method. They never start anything by themselves (C9). */
  onNotification(listener: (method: string, params: unknown) => void): void;
  /** Settles once, with what ended the connection (`session/closed` when we did). Never rejects. */
  readonly closed: Promise<PeerFailure>;
  /** Idempotent; ends the server's session where there is one, the carrier, and every request. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
