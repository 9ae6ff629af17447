import type { Container, SourceProblem, SourceProblemReason, SourceWarning } from "./container.ts";
import type { Entry } from "./decode.ts";
import { ENTRY_KEYS } from "./entry-keys.ts";
import { isJsonObject, own } from "../json-value.ts";
import { hasField } from "./fields.ts";
import { SERVERS_LIMIT } from "./limits.ts";

export interface ReadContainer {
  readonly entries: readonly Entry[];
  readonly problem: SourceProblem | undefined;
  readonly warnings: readonly SourceWarning[];
}

const ROOT_KEY = "mcpServers";

/**
 * Takes a container apart into its entries, undecoded (D1). Whatever is wrong with it as a whole is one
 * problem; it never throws and never touches another container.
 */
export function readContainer(container: Container): ReadContainer {
  const { source, origin } = container;
  const failed = (problem: Omit<SourceProblem, "kind" | "source" | "origin">): ReadContainer => ({
    entries: [],
    problem: { kind: "source", ...problem, source, origin },
    warnings: [],
  });
  if ("problem" in container) return failed(container.problem);
  const servers = findServers(container.value, container.duplicateKeys ?? []);
  if (typeof servers === "string") return failed({ reason: servers });
  const duplicates = duplicatesByName(container.duplicateKeys ?? []);
  const entries = servers.map(([name, value]): Entry => ({
    name,
    source,
    origin,
    value,
    duplicate: duplicates.get(name),
  }));
  const warnings = (container.warnings ?? []).map((warning) => ({ source, origin, warning }));
  return { entries, problem: undefined, warnings };
}

function findServers(
  root: unknown,
  duplicateKeys: readonly (readonly string[])[],
): readonly (readonly [string, unknown])[] | SourceProblemReason {
  if (!isJsonObject(root)) return "root-not-object";
  if (!hasField(root, ROOT_KEY)) return "servers-missing";
  if (duplicateKeys.some((path) => path.length === 1 && path[0] === ROOT_KEY)) return "servers-duplicated";
  const servers = own(root, ROOT_KEY);
  if (!isJsonObject(servers)) return "servers-not-object";
  const entries = Object.entries(servers);
  return entries.length > SERVERS_LIMIT ? "too-many-servers" : entries;
}

/** Names with a key that stood twice, and the first such field; only fields that the schema knows are named. */
function duplicatesByName(duplicateKeys: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const [root, name, field] of duplicateKeys) {
    if (root !== ROOT_KEY || name === undefined || byName.has(name)) continue;
    byName.set(name, field !== undefined && ENTRY_KEYS.has(field) ? field : "");
  }
  return byName;
}
