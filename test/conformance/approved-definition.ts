import {
  activationSubject,
  decideApproval,
  matchActivation,
  resolveServers,
  type ActivationStatus,
  type ServerDefinition,
} from "../../src/composition/index.ts";

export interface ApprovedDefinition {
  readonly definition: ServerDefinition;
  readonly status: ActivationStatus;
}

/** One entry of a user's own file, approved by that user: the whole way that a definition takes. */
export function approveEntry(name: string, entry: unknown): ApprovedDefinition {
  const container = {
    source: "user",
    origin: "/mcp.json",
    value: { mcpServers: { [name]: entry } },
  } as const;
  const [server] = resolveServers([container], { environment: () => undefined }).servers;
  if (server?.status !== "resolved") throw new Error(`the entry is ${server?.status ?? "gone"}`);
  const { definition } = server;
  const subject = activationSubject(definition, undefined);
  const decided = decideApproval({ subject, authority: "user", decision: "approved", covered: [], nowMs: 0 });
  if (!decided.ok) throw new Error(decided.refusal.reason);
  return { definition, status: matchActivation(subject, { records: [decided.value] }, {}) };
}
