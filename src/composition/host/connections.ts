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
import { orAbandon } from "../flows/abandon.ts";
import { statusIn } from "../flows/host-state.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import type { Carriers } from "./carriers.ts";
import type { QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { StateHolder } from "./state-holder.ts";
import { approvedServer } from "./approved-server.ts";

/** Why a server cannot be used. `untrusted` holds the server's own words, cleaned and cut. */
export interface ServerFailure {
  readonly refusal: Refusal;
  readonly untrusted?: { readonly message: string; readonly code?: number };
}

interface Live {
  readonly session: McpSession;
  readonly record: ApprovalRecord;
}

export interface ConnectionsContext {
  readonly options: McpHostOptions;
  readonly parts: QuietParts;
  readonly carriers: Carriers;
  /** The state of now; admission and the recheck before a spawn read it again, for what others revoked. */
  readonly holder: StateHolder;
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
  /** What a session was approved as, whatever was read since. */
  subjectOf(session: McpSession): ActivationSubject | undefined;
}

export function createConnections(context: ConnectionsContext): LiveConnections {
  const subjects = new WeakMap<McpSession, ActivationSubject>();
  const opening = new Map<string, Promise<Outcome<Live, ServerFailure>>>();
  const live = new Map<string, Live>();

  const openOnce = async (name: string): Promise<Outcome<Live, ServerFailure>> => {
    try {
      const opened = await open(name, context);
      if (!opened.ok) return opened;
      const denied = await closeUnlessApproved(name, opened.value, context);
      if (denied !== undefined) return refuse({ refusal: denied });
      live.set(name, opened.value);
      subjects.set(opened.value.session, opened.value.record.subject);
      void opened.value.session.closed.then(() => {
        if (live.get(name) === opened.value) live.delete(name);
      });
      return opened;
    } finally {
      opening.delete(name);
    }
  };

  return {
    connect: async (name, { signal } = {}) => {
      const known = live.get(name);
      if (known !== undefined) return accept(known.session);
      const pending = opening.get(name) ?? openOnce(name);
      opening.set(name, pending);
      const opened = await orAbandon(pending, signal);
      return opened.ok ? accept(opened.value.session) : opened;
    },
    closeUnapproved: async () => {
      await Promise.all([...live].map(([name, known]) => closeUnlessApproved(name, known, context)));
    },
    subjectOf: (session) => subjects.get(session),
    close: async () => {
      await Promise.all([...opening.values()].map((pending) => pending.catch(() => undefined)));
      await Promise.all([...live.values()].map(({ session }) => session.close()));
    },
  };
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
  const { createSystemRandom } = await import("../../adapters/system/random.ts");
  const { options } = context;
  const protocol = definition.protocolVersion ?? options.protocol ?? "legacy";
  const session = await openMcpSession({
    carrier: admitted.value,
    serverId: name,
    ...(protocol === "legacy" ? {} : { protocolVersion: protocol }),
    clock: context.parts.clock,
    random: createSystemRandom(),
    ...(options.clientInfo && { clientInfo: options.clientInfo }),
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
