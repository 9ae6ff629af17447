import { createFilePinStore } from "../../adapters/files/pin-store.ts";
import type { PinPolicy } from "../../domain/activation/pins.ts";
import type { ActivationSubject } from "../../domain/activation/approval.ts";
import { toolsAcceptedEvent } from "../../domain/activation/audit-event.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import { secretsOf } from "../../domain/definition/known-secrets.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import { acceptTools } from "../flows/check-pins.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import { approvedServer } from "./approved-server.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { SessionGuard } from "./list-part.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { McpHost } from "./mcp-host.ts";
import { createPinGuard } from "./pin-guard.ts";
import type { StateHolder } from "./state-holder.ts";

export interface PinContext {
  readonly options: McpHostOptions;
  readonly settings: HostSettings;
  readonly parts: QuietParts;
  readonly holder: StateHolder;
  readonly pinPolicy: PinPolicy;
  readonly signal: AbortSignal;
}

/** The part of a host that remembers how tools were (A7). */
export interface PinPart {
  readonly guard: SessionGuard;
  readonly accept: McpHost["acceptTools"];
}

export function createPinPart(
  { options, settings, parts, holder, pinPolicy: policy, signal }: PinContext,
  connections: { subjectOf(session: McpSession): ActivationSubject | undefined },
): PinPart {
  const pins = options.parts?.pins ?? createFilePinStore({ folder: settings.home, clock: parts.clock });
  const guard = createPinGuard({ policy, pins, signal });
  return {
    guard: async (session, listed) => {
      const subject = connections.subjectOf(session);
      // A session of this host has one from the moment it can be asked anything.
      if (subject === undefined) throw new TypeError("the session is not of this host");
      return guard.check({ subject, secrets: secretsFor(session.serverId, holder) }, listed);
    },
    accept: async (name, changes) => {
      const approved = approvedServer(name, holder.now);
      if (!approved.ok) return refuse(approved.refusal.refusal);
      const subject = activationSubject(approved.value.definition, holder.now.workspace);
      const accepted = await acceptTools(subject, changes, { pins, signal });
      if (!accepted.ok) return accepted;
      await parts.audit.append(toolsAcceptedEvent(subject, parts.clock.nowMs()));
      return accept(true);
    },
  };
}

function secretsFor(name: string, { now }: StateHolder): readonly string[] {
  const server = now.byName.get(name);
  return server?.status === "resolved" ? secretsOf(server.definition) : [];
}
