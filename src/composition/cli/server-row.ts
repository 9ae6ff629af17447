import type { ActivationStatus } from "../../domain/activation/approval.ts";
import { materialOf } from "../../domain/definition/definition.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import type { SourceProblem } from "../../domain/definition/container.ts";
import { projectServer } from "../../domain/definition/projection.ts";
import type { ServerProjection, ShownProblem } from "../../domain/definition/projection.ts";
import { describeDefinitionRefusal } from "../../domain/definition/refusal-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import { isCodeChangingKey } from "../../domain/launch/execution-variables.ts";
import { fetchesCode } from "../../domain/launch/fetched-code.ts";
import { isShell } from "../../domain/launch/shells.ts";
import type { HostServer } from "../host/mcp-host.ts";

/** A3, with the parts that differ or who decided. */
export interface ShownApproval {
  readonly status: ActivationStatus["status"];
  readonly reason?: string;
}

/** A note of a definition, or one of ours about what it would run (M4). */
export interface ListedNote {
  readonly note: string;
  readonly text: string;
}

/** One server of `list`: its JSON, field by field. */
export interface ListedServer {
  readonly name: string;
  readonly source: string;
  readonly origin: string;
  readonly status: ServerProjection["status"];
  /** `null`, like the endpoint: nothing could be made of the entry. */
  readonly transport: string | null;
  readonly approval: ShownApproval;
  readonly endpoint: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: readonly ListedNote[];
  readonly unsetVariables: ServerProjection["unsetVariables"];
  readonly shadowed: ServerProjection["shadowed"];
  readonly problem?: ShownProblem;
}

export function listedServer({ server, approval }: HostServer): ListedServer {
  const { name, source, origin, status, definition, notes, unsetVariables, shadowed, problem } =
    projectServer(server);
  const own = server.status === "unresolved" ? [] : runNotes(server.definition, approval);
  return {
    name,
    source,
    origin,
    status,
    transport: definition?.transport ?? null,
    approval: shownApproval(approval),
    endpoint: definition?.endpoint ?? null,
    env: definition?.env ?? {},
    headers: definition?.headers ?? {},
    notes: [...notes, ...own],
    unsetVariables,
    shadowed,
    ...(problem !== undefined && { problem }),
  };
}

/** A name without a definition has nothing that a record could match: it is pending, and says why. */
function shownApproval(status: ActivationStatus | undefined): ShownApproval {
  if (status === undefined) return { status: "pending", reason: "unresolved" };
  switch (status.status) {
    case "stale":
      return { status: "stale", reason: status.differs.join(", ") };
    case "rejected":
    case "revoked":
      return { status: status.status, reason: `by ${status.authority}` };
    case "approved":
    case "pending":
    case "untrusted":
      break;
  }
  return { status: status.status };
}

/** M4: what runs other code than the command says stays marked, before and after its approval. */
function runNotes(
  definition: ServerDefinition,
  approval: ActivationStatus | undefined,
): readonly ListedNote[] {
  const material = materialOf(definition);
  const command = material.transport === "stdio" ? material.command.text : material.headersHelper?.command;
  if (command === undefined) return [];
  const notes: ListedNote[] = codeChangingKeys(definition).map((key) => ({
    note: "code-changing-variable",
    text: `\`${escapeForDisplay(key)}\` changes which code runs.`,
  }));
  const allowed = approval?.status === "approved" && approval.record.launch?.allowShell === true;
  if (allowed || isShell(command)) {
    notes.push({
      note: "shell",
      text: "The command is a shell or a launcher: it runs whatever its arguments say.",
    });
  }
  const args = material.transport === "stdio" ? material.args.map(({ text }) => text) : [];
  if (fetchesCode(command, args)) {
    notes.push({
      note: "fetches-code",
      text: "The command runs a package or an image by its name: an approval fixes the name, not what is published under it. Name an exact version.",
    });
  }
  return notes;
}

export function codeChangingKeys(definition: ServerDefinition): readonly string[] {
  const material = materialOf(definition);
  if (material.transport !== "stdio") return [];
  return [...material.env.keys()].filter((key) => isCodeChangingKey(key)).toSorted();
}

/** A source that could not be read, in JSON. */
export interface ListedSourceProblem {
  readonly source: string;
  readonly origin: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
  readonly text: string;
}

export function listedProblem(problem: SourceProblem): ListedSourceProblem {
  const { source, origin, reason, line, column } = problem;
  return {
    source,
    origin: escapeForDisplay(origin),
    reason,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    text: describeDefinitionRefusal(problem),
  };
}
