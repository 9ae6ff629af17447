import type { Container, SourceProblem } from "./container.ts";
import { decodeEntry, type Entry } from "./decode.ts";
import { DEFINITION_SOURCES, type ServerDefinition } from "./definition.ts";
import { readContainer } from "./read-container.ts";
import type { Environment, Resolution, ResolvedServer } from "./resolution.ts";

/** One name: the entry that won, and those it shadows, strongest first. */
interface Candidate {
  readonly winner: Entry;
  readonly shadowed: { readonly source: Entry["source"]; readonly origin: string }[];
}

/**
 * Resolves every server name over all sources: the strongest source that has the name gives the whole
 * entry, and only winners are decoded (D11). A managed container that could not be read blocks every name
 * that a weaker source would give (D12). Pure: `environment` is asked lazily, once a name.
 */
export function resolveServers(
  containers: readonly Container[],
  options: { readonly environment: Environment },
): Resolution {
  const read = byStrength(containers).map((container) => readContainer(container));
  const sourceProblems = read.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const blocker = sourceProblems.find(({ source }) => source === "managed");
  const environment = rememberEach(options.environment);
  const candidates = chooseWinners(read.flatMap(({ entries }) => entries));
  return {
    servers: [...candidates.values()]
      .map((candidate) => settle(candidate, { blocker, environment }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    sourceProblems,
    sourceWarnings: read.flatMap(({ warnings }) => warnings),
  };
}

/** Stable: of two containers of one source the one given first stays first. */
function byStrength(containers: readonly Container[]): readonly Container[] {
  return containers.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ source }: Container): number {
  return DEFINITION_SOURCES.indexOf(source);
}

function chooseWinners(entries: readonly Entry[]): ReadonlyMap<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const entry of entries) {
    const candidate = candidates.get(entry.name);
    if (candidate === undefined) candidates.set(entry.name, { winner: entry, shadowed: [] });
    else candidate.shadowed.push({ source: entry.source, origin: entry.origin });
  }
  return candidates;
}

function settle(
  { winner, shadowed }: Candidate,
  context: { readonly blocker: SourceProblem | undefined; readonly environment: Environment },
): ResolvedServer {
  const base = { name: winner.name, source: winner.source, origin: winner.origin, shadowed };
  if (context.blocker !== undefined && winner.source !== "managed") {
    const problem = { kind: "blocked", reason: "managed-unreadable", cause: context.blocker } as const;
    return { ...base, status: "unresolved", problem };
  }
  const decoded = decodeEntry(winner, context);
  if (!decoded.ok) return { ...base, status: "unresolved", problem: decoded.refusal };
  return { ...base, ...statusOf(decoded.value) };
}

function statusOf(
  definition: ServerDefinition,
):
  | { readonly status: "resolved" | "misconfigured"; readonly definition: ServerDefinition }
  | { readonly status: "disabled"; readonly disabledBy: "entry"; readonly definition: ServerDefinition } {
  if (definition.disabled) return { status: "disabled", disabledBy: "entry", definition };
  return { status: definition.unsetVariables.length > 0 ? "misconfigured" : "resolved", definition };
}

function rememberEach(environment: Environment): Environment {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, environment(name));
    return known.get(name);
  };
}
