import type { ActivationSubject, ApprovalRecord } from "../../domain/activation/approval.ts";
import { admissionRefusedEvent, connectionClosedEvent } from "../../domain/activation/audit-event.ts";
import { connectionMayStay } from "../../domain/activation/live.ts";
import { activationRefusal } from "../../domain/activation/match.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { isOwnRule } from "../../domain/host/own-rule.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { ConnectionState } from "../../domain/supervision/transition.ts";
import { createSystemRandom } from "../../adapters/system/random.ts";
import { SESSION_DEFAULTS } from "../open-session.ts";
import { statusIn } from "../flows/host-state.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import { McpConnectionSupervisor } from "../flows/supervise.ts";
import { TIMER_LIMIT_MS } from "../flows/supervise-options.ts";
import type { ConnectionFailure } from "../flows/supervise-options.ts";
import type { Carriers } from "./carriers.ts";
import type { QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { StateHolder } from "./state-holder.ts";
import { approvedServer } from "./approved-server.ts";

/** Why a server cannot be used. `untrusted` holds the server's own words, cleaned and cut. */
export type ServerFailure = ConnectionFailure;

/** How the connection to one server came to stand. */
export interface ConnectionChange {
  readonly name: string;
  readonly state: ConnectionState;
}

interface Live {
  /** The connection itself, as it was opened. */
  readonly session: McpSession;
  readonly record: ApprovalRecord;
}

export interface ConnectionsContext {
  readonly options: McpHostOptions;
  readonly parts: QuietParts;
  readonly carriers: Carriers;
  /** The state of now; admission and the recheck before a spawn read it again, for what others revoked. */
  readonly holder: StateHolder;
  /** Servers that start to connect side by side (V7). */
  readonly concurrency: number;
  readonly onChange: (change: ConnectionChange) => void;
  /** Ends every connection. */
  readonly signal: AbortSignal;
}

/** The live connections of one host, at most one a server; callers during a connect share it. */
export interface Connections {
  /** A caller that aborts leaves; the connecting goes on for the others. */
  connect(
    name: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Outcome<McpSession, ServerFailure>>;
  /** Closes what the state of now does not approve any more (A6b); one that is still opening is told at its end. */
  closeUnapproved(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveConnections extends Connections {
  /** How the connection to a server stands. */
  state(name: string): ConnectionState;
  /** What a session was approved as, whatever was read since. */
  subjectOf(session: McpSession): ActivationSubject | undefined;
}

/** What admission may take besides the session's own start: programs that make headers (U4), locks, stores. */
const ADMISSION_MS = 30_000;

export function createConnections(context: ConnectionsContext): LiveConnections {
  const { options, parts, holder, signal: closing } = context;
  const subjects = new WeakMap<SessionIdentity, ActivationSubject>();
  const live = new Map<string, Live>();

  const opened = ({ session, record }: Live): void => {
    const { serverId } = session;
    const own: Live = { session, record };
    live.set(serverId, own);
    void session.closed.then(() => {
      if (live.get(serverId) === own) live.delete(serverId);
    });
    const remember = (): void => void subjects.set(session.identity, record.subject);
    remember();
    session.onRenewed(remember);
  };

  const supervisor = new McpConnectionSupervisor({
    open: async (name, { signal }) => {
      const outcome = await open(name, { ...context, signal });
      if (!outcome.ok) return outcome;
      // From here on `closeUnapproved` finds it: there is no moment in which a change is seen by neither.
      opened(outcome.value);
      const denied = await closeUnlessApproved(name, outcome.value, context);
      return denied === undefined ? accept(outcome.value.session) : refuse({ refusal: denied });
    },
    clock: parts.clock,
    random: createSystemRandom(),
    concurrency: context.concurrency,
    attemptMs: Math.min(
      (options.timeouts?.startupMs ?? SESSION_DEFAULTS.startupMs) + ADMISSION_MS,
      TIMER_LIMIT_MS,
    ),
    ...(options.timeouts?.idleMs !== undefined && { idleMs: options.timeouts.idleMs }),
    ...(options.reconnect !== undefined && { reconnect: options.reconnect }),
  });
  supervisor.onChange((name, state) => context.onChange({ name, state }));
  // Made with the first use, which may come after the host was closed: no abort is told any more then.
  if (closing.aborted) void supervisor.shutdown();
  else closing.addEventListener("abort", () => void supervisor.shutdown(), { once: true });

  return {
    connect: (name, call) => {
      // Any text can be asked for: what is configured nowhere leaves nothing behind.
      const refusal: Refusal = { kind: "host", reason: "unknown-server", serverId: name };
      return holder.now.byName.has(name)
        ? supervisor.connect(name, call)
        : Promise.resolve(refuse({ refusal }));
    },
    state: (name) => supervisor.state(name),
    closeUnapproved: async () => {
      await Promise.all([
        ...[...live].map(([name, known]) => closeUnlessApproved(name, known, context)),
        ...[...supervisor.states()]
          .filter(([name, state]) => isOutdated(name, state, holder))
          .map(([name]) => supervisor.release(name)),
      ]);
    },
    subjectOf: (session) => subjects.get(session.identity),
    close: () => supervisor.shutdown(),
  };
}

/** A failure that the rules of now may have mended; or a retry of what they do not allow. */
function isOutdated(name: string, state: ConnectionState, { now }: StateHolder): boolean {
  if (state.status !== "failed") return false;
  return state.reason === "own-rule" || !approvedServer(name, now).ok;
}

/** Activation, admission, connection: in this order, each only after the one before said yes. */
async function open(name: string, context: ConnectionsContext): Promise<Outcome<Live, ServerFailure>> {
  const state = context.holder.now;
  const approved = approvedServer(name, state);
  if (!approved.ok) {
    const { refusal, definition } = approved.refusal;
    return definition === undefined ? refuse({ refusal }) : refused(refusal, definition, context);
  }
  const { definition } = approved.value;
  const subject = activationSubject(definition, state.workspace);
  // What a carrier of stdio asks right before its start (X3), every other has to be asked here: another process may
  // have revoked since the records were read.
  const status =
    definition.transport === "stdio"
      ? approved.value.status
      : await context.holder.freshStatus(definition, context.signal);
  if (status.status !== "approved") {
    const refusal = { kind: "activation", reason: status.status, serverId: name } as const;
    return refused(refusal, definition, context);
  }
  const admitted = await context.carriers.admit({
    definition,
    subject,
    status,
    recheck: () => context.holder.freshStatus(definition, context.signal),
  });
  if (!admitted.ok) return refused(admitted.refusal, definition, context);
  const { openMcpSession } = await import("../open-session.ts");
  const { options } = context;
  const protocol = definition.protocolVersion ?? options.protocol ?? "legacy";
  const session = await openMcpSession({
    carrier: admitted.value,
    serverId: name,
    ...(protocol === "legacy" ? {} : { protocolVersion: protocol }),
    clock: context.parts.clock,
    random: createSystemRandom(),
    ...(options.clientInfo && { clientInfo: options.clientInfo }),
    ...(options.elicitation === true && { elicitation: true }),
    ...options.timeouts,
    ...(definition.timeoutMs !== undefined && { toolCallMs: definition.timeoutMs }),
    skills: definition.skills,
    signal: context.signal,
  });
  if (!session.ok) {
    // What is looked at again right before a start may refuse as well: it is an admission like the first.
    if (isOwnRule(session.refusal.refusal)) return refused(session.refusal.refusal, definition, context);
    return refuse(session.refusal);
  }
  return accept({ session: session.value, record: status.record });
}

async function refused(
  refusal: Refusal,
  definition: ServerDefinition,
  context: ConnectionsContext,
): Promise<Outcome<never, ServerFailure>> {
  const { audit, clock } = context.parts;
  const subject = activationSubject(definition, context.holder.now.workspace);
  await audit.append(admissionRefusedEvent(subject, refusal, clock.nowMs()));
  return refuse({ refusal });
}

/** Answers why the connection had to go; `undefined`: it may stay. */
async function closeUnlessApproved(
  name: string,
  live: Live,
  context: ConnectionsContext,
): Promise<Refusal | undefined> {
  const state = context.holder.now;
  const server = state.byName.get(name);
  const now = server?.status === "resolved" ? statusIn(state, server.definition) : undefined;
  const decision = connectionMayStay(live.record, now);
  if (decision.stay) return undefined;
  await live.session.close();
  const { audit, clock } = context.parts;
  await audit.append(connectionClosedEvent(live.record.subject, decision.reason, clock.nowMs()));
  return (now && activationRefusal(now, name)) ?? { kind: "activation", reason: "stale", serverId: name };
}
