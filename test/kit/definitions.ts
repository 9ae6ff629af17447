import assert from "node:assert/strict";

import type { Container } from "../../src/domain/definition/container.ts";
import { decodeEntry } from "../../src/domain/definition/decode.ts";
import type { DefinitionSource, ServerDefinition } from "../../src/domain/definition/definition.ts";
import type { DefinitionProblem } from "../../src/domain/definition/problem.ts";
import type { Environment, ResolvedServer } from "../../src/domain/definition/resolution.ts";
import { resolveServers } from "../../src/domain/definition/resolve.ts";

/** An environment with exactly these variables. */
export function environmentOf(variables: Readonly<Record<string, string>> = {}): Environment {
  const map = new Map(Object.entries(variables));
  return (name) => map.get(name);
}

interface EntryOptions {
  readonly name?: string;
  readonly source?: DefinitionSource;
  readonly origin?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

function decode(value: unknown, options: EntryOptions): ReturnType<typeof decodeEntry> {
  const { name = "server", source = "project", origin = "/work/.mcp.json" } = options;
  return decodeEntry({ name, source, origin, value }, { environment: environmentOf(options.variables) });
}

/** The definition of an entry that decodes. */
export function definitionOf(value: unknown, options: EntryOptions = {}): ServerDefinition {
  const decoded = decode(value, options);
  assert.ok(decoded.ok, decoded.ok ? "" : `${decoded.refusal.path} ${decoded.refusal.reason}`);
  return decoded.value;
}

/** The problem of an entry that does not decode. */
export function problemOf(value: unknown, options: EntryOptions = {}): DefinitionProblem {
  const decoded = decode(value, options);
  assert.ok(!decoded.ok, "the entry decoded");
  return decoded.refusal;
}

export function containerOf(
  source: DefinitionSource,
  mcpServers: unknown,
  origin = `/${source}/mcp.json`,
): Container {
  return { source, origin, value: { mcpServers } };
}

/** One resolved name out of some containers. */
export function resolvedIn(
  containers: readonly Container[],
  name: string,
  variables: Readonly<Record<string, string>> = {},
): ResolvedServer {
  const { servers } = resolveServers(containers, { environment: environmentOf(variables) });
  const server = servers.find((candidate) => candidate.name === name);
  assert.ok(server, `no server ${name}`);
  return server;
}

/** An object of `count` keys, all with the same value. */
export function manyKeys(count: number, value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

/** A list of `count` different texts. */
export function manyTexts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `t${index}`);
}
