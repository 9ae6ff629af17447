import type { ApprovalAuthority, ApprovalRecord } from "../../domain/activation/approval.ts";
import { trustEvent } from "../../domain/activation/audit-event.ts";
import { fieldChanges } from "../../domain/activation/field-changes.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import { coveredFields } from "../../domain/definition/fingerprint.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { approveServer, denyServer, proposalContext } from "../flows/change-approvals.ts";
import type { Decided } from "../flows/decide-server.ts";
import { newestApproval, proposeApproval } from "../flows/propose-approval.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHost } from "./mcp-host.ts";
import type { StateHolder } from "./state-holder.ts";

export interface DecidingContext {
  readonly parts: QuietParts;
  readonly settings: HostSettings;
  readonly holder: StateHolder;
  readonly signal: AbortSignal;
  /** Runs after every change, before the answer: what is not approved any more is closed (A6b). */
  readonly onChange: () => Promise<void>;
}

type DecidingPart = Pick<McpHost, "propose" | "changes" | "approve" | "reject" | "revoke" | "setTrusted">;

const NO_TERMS = { allowEnv: [], allowShell: false } as const;

/** The part of a host that shows what an approval is about, and records what a person decides. */
export function createDecidingPart(context: DecidingContext): DecidingPart {
  const { parts, settings, holder, signal, onChange } = context;
  const flow = (authority: ApprovalAuthority = "user") => ({
    ...parts,
    ...settings,
    state: holder.now,
    authority,
    signal,
  });
  const settle = async (decided: Outcome<Decided, Refusal>): Promise<Outcome<ApprovalRecord, Refusal>> => {
    if (!decided.ok) return decided;
    holder.setSnapshot(decided.value.snapshot);
    await onChange();
    return accept(decided.value.record);
  };
  return {
    propose: async (name, terms = {}) => {
      const server = holder.now.byName.get(name);
      if (server === undefined) return refuse({ kind: "host", reason: "unknown-server", serverId: name });
      return proposeApproval(server, { ...NO_TERMS, ...terms }, proposalContext(flow()));
    },
    changes: (name) => {
      const { byName, workspace, snapshot } = holder.now;
      const server = byName.get(name);
      if (server === undefined || server.status === "unresolved") return [];
      const previous = newestApproval(activationSubject(server.definition, workspace), snapshot.records);
      return previous === undefined ? [] : fieldChanges(previous.covered, coveredFields(server.definition));
    },
    approve: async (name, { authority, seen, ...terms } = {}) =>
      settle(await approveServer(name, { terms: { ...NO_TERMS, ...terms }, seen }, flow(authority))),
    reject: async (name, { authority } = {}) => settle(await denyServer(name, "rejected", flow(authority))),
    revoke: async (name, { authority } = {}) => settle(await denyServer(name, "revoked", flow(authority))),
    setTrusted: async (trusted) => {
      const { workspaceFolder } = settings;
      if (workspaceFolder === undefined) {
        return refuse({ kind: "host", reason: "no-workspace", serverId: "" });
      }
      const changed = await parts.workspaces.setTrusted(workspaceFolder, trusted, { signal });
      if (!changed.ok) return changed;
      holder.setWorkspace(changed.value);
      await parts.audit.append(trustEvent(changed.value, parts.clock.nowMs()));
      await onChange();
      return changed;
    },
  };
}
