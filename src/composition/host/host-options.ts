import type { PinPolicy } from "../../domain/activation/pins.ts";
import type { SchemaProfile } from "../../domain/catalog/profile-rules.ts";
import type { Environment } from "../../domain/definition/resolution.ts";
import type { ReconnectPolicy } from "../../domain/supervision/transition.ts";
import type { ApprovalStore, WorkspaceRegistry } from "../../ports/approval-store.ts";
import type { AuditLog, AuditSink } from "../../ports/audit-sink.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ConfigPlace, ConfigSource } from "../../ports/config-source.ts";
import type { CredentialStore } from "../../ports/credential-store.ts";
import type { Egress } from "../../ports/egress.ts";
import type { ExecutableFinder } from "../../ports/executable-finder.ts";
import type { HelperRunner } from "../../ports/helper-runner.ts";
import type { ProtocolSelection } from "../../ports/mcp-peer.ts";
import type { PendingSignInStore } from "../../ports/pending-sign-in-store.ts";
import type { PinStore } from "../../ports/pin-store.ts";
import type { FileProbe, ProcessRunner } from "../../ports/process-runner.ts";
import type { RedirectReceiver } from "../../ports/redirect-receiver.ts";
import type { RefreshLock } from "../../ports/refresh-lock.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import type { Resolver } from "../../ports/resolver.ts";
import type { SchemaValidator } from "../../ports/schema-validator.ts";
import type { SignInSettingsSource } from "../../ports/sign-in-settings-source.ts";

/** C7b. Milliseconds from 1 to 86,400,000; anything else is a TypeError with the code `timeouts`, and no host is made. */
export interface HostTimeouts {
  /** One deadline over spawn, handshake and the first lists of a server. Default 30,000. */
  readonly startupMs?: number;
  /** One list page, prompt or resource. Default 30,000. */
  readonly perCallMs?: number;
  /** One tool call without progress, where its definition has no `timeout`. Default 60,000. */
  readonly toolCallMs?: number;
  /**
   * How long a connection may go unused before it is closed (V5): no call, no list, no subscription. The next use
   * connects again. `Infinity`: it stays. Default 300,000.
   */
  readonly idleMs?: number;
}

/** What a host does about lists that change while it is connected (V4). */
export interface HostLists {
  /**
   * Whether changes are subscribed to where the protocol wants that (2026-07-28), once a server's catalog is read. Such
   * a subscription keeps the connection in use: it is not closed for being idle (V5). Default true.
   */
  readonly follow?: boolean;
  /** Between two readings of one list because it changed. Milliseconds; default 1,000. */
  readonly minIntervalMs?: number;
  /** Readings of one list within a minute; a server that announces more is shown as `noisy`. At least 1; default 10. */
  readonly perMinute?: number;
}

/** Every part of the world that a host can bring itself. What is left out is the machine's own. */
export interface HostParts {
  readonly clock: Clock;
  readonly configSource: ConfigSource;
  readonly approvals: ApprovalStore;
  readonly workspaces: WorkspaceRegistry;
  readonly audit: AuditSink & AuditLog;
  readonly finder: ExecutableFinder;
  readonly probe: FileProbe;
  readonly runner: ProcessRunner;
  /** Runs headers helpers (U4). */
  readonly helperRunner: HelperRunner;
  readonly resolver: Resolver;
  /** Who injects an egress owns its socket policy: nothing of ours stands behind it (H4b). */
  readonly egress: Egress;
  readonly schemas: SchemaValidator;
  /** Keeps results that are too large to hand over (K7). Default: files in `results` in the home folder, 7 days. */
  readonly resultSpill: ResultSpill;
  /** How tools were when they were taken as they are (A7). Default: one file a server in `pins` in the home folder. */
  readonly pins: PinStore;
  /** Default: one owner-only file a server, in the home folder. */
  readonly credentials: CredentialStore;
  /** Has to be shared by whatever shares the credentials. Default: lock files in the home folder. */
  readonly refreshLock: RefreshLock;
  readonly pendingSignIns: PendingSignInStore;
  /** Issuer pins and `resource` opt-outs. Default: `auth.json` in the home folder. */
  readonly signInSettings: SignInSettingsSource;
  /** Default: a listener on 127.0.0.1. */
  readonly redirects: RedirectReceiver;
}

export interface McpHostOptions {
  /** The workspace folder. Left out: only managed and user servers exist. */
  readonly workspace?: string;
  /** Sallyport's own folder. Default: `$SALLYPORT_HOME`, else the platform's configuration folder (M1). */
  readonly home?: string;
  /** Replaces the default places of configuration files. */
  readonly places?: readonly ConfigPlace[];
  /** Variables for templates, PATH and the child's base environment. Default: the process environment. */
  readonly environment?: Environment;
  /** Names of variables that exist; needed for `LC_*`. Default: those of the process environment. */
  readonly environmentNames?: readonly string[];
  /** How the host introduces itself to servers (C6b). Default `{ name: "mcp-client", version: "0" }`. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** For definitions without `protocolVersion`. Default `legacy` (C1). */
  readonly protocol?: ProtocolSelection;
  readonly timeouts?: HostTimeouts;
  readonly lists?: HostLists;
  /** Exact `host:port` destinations that may be private (E5). Default: none. */
  readonly allowDestinations?: readonly string[];
  /** Exact origins that may see trace context (H5). Default: none. */
  readonly traceOrigins?: readonly string[];
  /** The host's own client-id metadata document, an https URL (U6). A definition's own comes first. Default: none. */
  readonly clientMetadataUrl?: string;
  /**
   * What happens to a tool that changed, or came, after the tools of its server were pinned (A7). `report` (default): it
   * is told in the catalog's `changes`. `hold`: it cannot be called before `acceptTools` either. `off`: nothing is compared.
   * `settled`: what the person settled in `settings.json` of the home folder, else `report`.
   */
  readonly pins?: PinPolicy | "settled";
  /**
   * Tools whose arguments may travel in `Mcp-Param-*` headers as well, where the server asks for it (K5b): everything
   * between here and the server can read and log those. Exact names of the server and of its own tool. Default: none.
   */
  readonly parameterHeaders?: readonly { readonly server: string; readonly tool: string }[];
  /**
   * The model API that the input schemas of the catalog are made for (K4): what it does not take is not shown, with a reason,
   * and calls are checked against the server's own narrowed schema as ever. Default: none, the narrowed schema is shown.
   */
  readonly schemaProfile?: SchemaProfile;
  /**
   * Tells servers that forms can be put to whoever calls a tool (C6); a call then says by `ask` to whom. Default: off, and
   * whatever a server asks in the middle of a call is refused.
   */
  readonly elicitation?: boolean;
  /**
   * What is connected again by itself after a failure that passes (V2): at most five attempts, 0.5 s to 30 s apart, each
   * admitted anew. `lost`: what had been connected. `all`: also what failed when it was first used. `none`: only what is
   * used. Whoever uses a server gets an attempt at once in any case, and a call is never repeated. Default `lost`.
   */
  readonly reconnect?: ReconnectPolicy;
  /**
   * What cancelling one call does to a server over stdio (X6). `close` (default) ends the child, which is certain; `notify`
   * tells the server, which may ignore it: for a host whose callers share that child.
   */
  readonly cancel?: "close" | "notify";
  /** Servers that connect at the same time. Default 8 (V7). */
  readonly concurrency?: number;
  /** Gets each stderr line of a server, masked. Default: stderr is counted and dropped (X5). */
  readonly onServerStderr?: (serverId: string, line: string) => void;
  readonly parts?: Partial<HostParts>;
}
