import type { ActivationStatus } from "../../domain/activation/approval.ts";
import { activationRefusal } from "../../domain/activation/match.ts";
import { isWorkspaceBound } from "../../domain/activation/subject.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import type { HostReason } from "../../domain/host/refusal.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { statusIn } from "../flows/host-state.ts";
import type { HostState } from "../flows/host-state.ts";
import { unsetVariable } from "../flows/propose-approval.ts";

/** A definition that may be used by the state at hand. */
export interface Approved {
  readonly definition: ServerDefinition;
  readonly status: Extract<ActivationStatus, { readonly status: "approved" }>;
}

/** Why not; the definition, where there is one, is what the audit log hears about. */
export interface NotApproved {
  readonly refusal: Refusal;
  readonly definition: ServerDefinition | undefined;
}

/** Finds the definition of a name that can be used at all, and that is approved: in this order. No I/O. */
export function approvedServer(name: string, state: HostState): Outcome<Approved, NotApproved> {
  const usable = usableDefinition(name, state);
  if (!usable.ok) return usable;
  const definition = usable.value;
  const status = statusIn(state, definition);
  if (status.status === "approved") return accept({ definition, status });
  const refusal = activationRefusal(status, name) ?? {
    kind: "activation",
    reason: "pending",
    serverId: name,
  };
  return refuse({ refusal, definition });
}

function usableDefinition(name: string, state: HostState): Outcome<ServerDefinition, NotApproved> {
  const server = state.byName.get(name);
  const no = (reason: HostReason): Refusal => ({ kind: "host", reason, serverId: name });
  if (server === undefined) return refuse({ refusal: no("unknown-server"), definition: undefined });
  if (server.status === "unresolved") return refuse({ refusal: no("unresolved"), definition: undefined });
  const { definition } = server;
  if (server.status === "disabled") return refuse({ refusal: no("disabled"), definition });
  if (server.status === "misconfigured") return refuse({ refusal: unsetVariable(definition), definition });
  if (isWorkspaceBound(server.source) && state.workspace === undefined) {
    return refuse({ refusal: no("no-workspace"), definition });
  }
  return accept(definition);
}
