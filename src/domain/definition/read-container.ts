import type { Container, SourceProblem, SourceProblemReason, SourceWarning } from "./container.ts";
import type { Entry } from "./decode.ts";
import { ENTRY_KEYS } from "./entry-keys.ts";
import { CONFIG_FORMATS, SERVER_PLACES, TRUST_SWITCHES, type ConfigFormat } from "./foreign/format.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { hasField } from "./fields.ts";
import { SERVERS_LIMIT } from "./limits.ts";

export interface ReadContainer {
  readonly entries: readonly Entry[];
  readonly problem: SourceProblem | undefined;
  readonly warnings: readonly SourceWarning[];
}

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
  const { format = "mcp", folders } = container;
  const duplicateKeys = container.duplicateKeys ?? [];
  const found = findServers(container.value, { format, duplicateKeys });
  if ("reason" in found) return failed(found);
  const duplicates = duplicatesByName(duplicateKeys, found.place);
  const entries = found.servers.map(([name, value]): Entry => {
    const duplicate = duplicates.get(name);
    return { name, source, origin, value, duplicate, format, folders };
  });
  const warnings = [...(container.warnings ?? []), ...trustSwitches(container.value)];
  return {
    entries,
    problem: undefined,
    warnings: warnings.map((warning) => ({ source, origin, warning })),
  };
}

interface FoundServers {
  /** The keys that lead to the servers. */
  readonly place: readonly string[];
  readonly servers: readonly (readonly [string, unknown])[];
}

function findServers(
  root: unknown,
  {
    format,
    duplicateKeys,
  }: { readonly format: ConfigFormat; readonly duplicateKeys: readonly (readonly string[])[] },
): FoundServers | { readonly reason: SourceProblemReason; readonly looksLike?: ConfigFormat } {
  if (!isJsonObject(root)) return { reason: "root-not-object" };
  const place = SERVER_PLACES[format].find((keys) => isThere(root, keys));
  if (place === undefined) return { reason: "servers-missing", ...resemblance(root) };
  if (
    duplicateKeys.some((path) => path.length <= place.length && path.every((key, at) => key === place[at]))
  ) {
    return { reason: "servers-duplicated" };
  }
  const servers = at(root, place);
  if (!isJsonObject(servers)) return { reason: "servers-not-object" };
  const entries = Object.entries(servers);
  return entries.length > SERVERS_LIMIT ? { reason: "too-many-servers" } : { place, servers: entries };
}

function at(root: JsonObject, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isJsonObject(value) ? own(value, key) : undefined), root);
}

/** The outermost key may hold anything; a key further in counts only where it holds an object of objects. */
function isThere(root: JsonObject, keys: readonly string[]): boolean {
  const value = at(root, keys);
  if (keys.length === 1) return value !== undefined;
  // `servers` may be the name of a server, too: that one is an object with a type.
  return isJsonObject(value) && !Object.hasOwn(value, "type") && !Object.hasOwn(value, "command");
}

function resemblance(root: JsonObject): { readonly looksLike?: ConfigFormat } {
  const looksLike = CONFIG_FORMATS.find((format) =>
    SERVER_PLACES[format].some((keys) => isThere(root, keys) && isJsonObject(at(root, keys))),
  );
  return looksLike === undefined ? {} : { looksLike };
}

function trustSwitches(root: unknown): readonly "trust-ignored"[] {
  const there = isJsonObject(root) && TRUST_SWITCHES.some((key) => hasField(root, key));
  return there ? ["trust-ignored"] : [];
}

/** Names with a key that stood twice, and the first such field; only fields that the schema knows are named. */
function duplicatesByName(
  duplicateKeys: readonly (readonly string[])[],
  place: readonly string[],
): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const path of duplicateKeys) {
    const [name, field] = path.slice(place.length);
    const inside = place.every((key, index) => path[index] === key);
    if (!inside || name === undefined || byName.has(name)) continue;
    byName.set(name, field !== undefined && ENTRY_KEYS.has(field) ? field : "");
  }
  return byName;
}
