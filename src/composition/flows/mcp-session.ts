import type { ListKind } from "../../domain/catalog/list-kind.ts";
import type { CallRefusal } from "../../domain/catalog/refusal.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import type { HeaderPair } from "../../domain/http/headers.ts";
import type { TraceContext } from "../../domain/http/trace.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { CompatibilityDiagnostic } from "../../domain/session/diagnostics.ts";
import type { Freshness } from "../../domain/session/freshness.ts";
import type { PeerIdentity, SessionIdentity } from "../../domain/session/identity.ts";
import type { ListPush } from "../../domain/session/list-push.ts";
import type { Ask } from "../../ports/ask.ts";
import type { PeerFailure, PeerProgress } from "../../ports/mcp-peer.ts";
import type { DiscoveredLists } from "./discover.ts";
import type { SkillsView } from "./skills-view.ts";

export interface CallOptions {
  /** Before anything is sent an abort rejects with its reason; after that see {@link McpSession.callTool}. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PeerProgress) => void;
  /**
   * Without an answer or growing progress. Milliseconds above 0, else the call rejects with a TypeError; `Infinity`: as long as
   * it takes. Default: the session's own for this kind of request.
   */
  readonly timeoutMs?: number;
  /** In all, whatever progress comes. Milliseconds; default 10 × `timeoutMs`. */
  readonly maxTotalMs?: number;
  /** W3C trace context of this call (H5). Malformed: as if it were not there. */
  readonly trace?: TraceContext;
  /** Becomes `_meta`; keys under `io.modelcontextprotocol/` are dropped (C6b). */
  readonly meta?: JsonObject;
  /**
   * Is put the forms that the server raises during this very call, where the session has elicitation on (C7). Only a
   * tool call asks. Left out: the server is told that nobody is there.
   */
  readonly ask?: Ask;
}

/** What a call ended with instead of a result. `call`: it was not sent, by a rule of the host that made the session. */
export type SessionCallFailure = PeerFailure | { readonly refusal: CallRefusal };

/** What only a tool call has. */
export interface SessionCallOptions extends CallOptions {
  /**
   * Arguments again as `mcp-param-*` headers (K5b), from `parameterHeaders`. They are sent where calls go as Streamable
   * HTTP of 2026-07-28, and dropped anywhere else.
   */
  readonly parameterHeaders?: readonly HeaderPair[];
}

export interface Discovery extends DiscoveredLists {
  /** Whose lists these are: retained ones are dropped once it differs (C5). */
  readonly identity: SessionIdentity;
}

/** One connection to one server. What comes out of it is raw and untrusted unless it says otherwise. */
export interface McpSession {
  readonly serverId: string;
  /** The same object until an expired session was replaced (H3c). */
  readonly identity: SessionIdentity;
  /** What the server says of itself. */
  readonly server: PeerIdentity;
  /** How its messages travel. */
  readonly carrier: "http" | "stdio";
  readonly compatibilityDiagnostics: readonly CompatibilityDiagnostic[];
  /** There only where skills are on, the revision is 2026-07-28, and the server has skills and resources (S1). */
  readonly skills: SkillsView | undefined;
  /**
   * Lists what the server declares (K1). The first listing and the connecting share one deadline; a later one
   * has all of it. Rejects only with the signal's reason; what a list fails with is in that list.
   */
  discover(options?: {
    readonly signal?: AbortSignal;
    /** Default: every kind of list. */
    readonly kinds?: readonly (keyof DiscoveredLists)[];
  }): Promise<Discovery>;
  /**
   * Calls a tool by the server's own name for it, once, with arguments that nobody checked:
   * `createDiscoveredTool` checks them. A session of `createMcpHost` refuses what its host would not call: tools that the
   * definition leaves out, and held ones (A7). Once sent, an abort or a deadline answers `session/outcome-unknown`:
   * the server may have acted (C8).
   */
  callTool(
    sourceName: string,
    args: JsonObject,
    options?: SessionCallOptions,
  ): Promise<Outcome<JsonObject, SessionCallFailure>>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Outcome<JsonObject, PeerFailure>>;
  readResource(
    uri: string,
    options?: CallOptions,
  ): Promise<Outcome<{ readonly result: JsonObject; readonly freshness: Freshness }, PeerFailure>>;
  /** Adds a listener for notifications, by method. They are only told: none starts anything (C9). */
  onNotification(listener: (method: string, params: unknown) => void): void;
  /**
   * Has changes of the server's lists announced from now on (V4). In 2026-07-28 it opens one subscription, and opens it
   * again when it ends; in the older era they come anyway, and nothing is sent. Idempotent; ends with the session.
   */
  followLists(): void;
  /** Whether what {@link McpSession.onListChanged} tells can be relied on. `open` in 2026-07-28: a subscription is in flight. */
  readonly listPush: ListPush;
  /** Adds a listener for a list that the server says has changed. */
  onListChanged(listener: (kind: ListKind) => void): void;
  /** Adds a listener for each change of {@link McpSession.listPush}: what changed before it got `open` was not told. */
  onListPush(listener: (push: ListPush) => void): void;
  /** Adds a listener for a changed {@link McpSession.identity}. */
  onRenewed(listener: () => void): void;
  /** What ended the connection, as soon as it is known: before any request fails of it. `undefined` while it is open. */
  readonly ended: PeerFailure | undefined;
  /** Settles once, with what ended the connection. Never rejects. */
  readonly closed: Promise<PeerFailure>;
  /** Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
