import { escapeForDisplay } from "../display-text.ts";
import {
  materialOf,
  type DefinitionNote,
  type Material,
  type MaterialisedText,
  type OauthSettings,
  type ServerDefinition,
  type ToolFilter,
  type TransportKind,
} from "./definition.ts";
import { describeDefinitionNote, describeDefinitionRefusal } from "./refusal-text.ts";
import type { ResolvedServer, ShadowedEntry } from "./resolution.ts";
import { REDACTED, showArguments, showCommandLine, showPlain, showText, showUrl } from "./shown.ts";

/** A problem as it is printed: closed fields and the sentence made of them. */
export interface ShownProblem {
  readonly kind: string;
  readonly reason: string;
  readonly path?: string;
  readonly text: string;
}

/** What a definition decides besides where it came from, ready to print. */
export interface DefinitionProjection {
  readonly transport: TransportKind;
  /** The command line, or the URL: what would be started or contacted. */
  readonly endpoint: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  /** Keys of the definition, sorted, each with `[redacted]`. */
  readonly env: Readonly<Record<string, typeof REDACTED>>;
  readonly headers: Readonly<Record<string, typeof REDACTED>>;
  readonly headersHelper?: string;
  readonly oauth?: OauthSettings;
  readonly timeoutMs?: number;
  readonly protocolVersion?: string;
  readonly skills: boolean;
  readonly tools: { readonly allow?: readonly string[]; readonly deny: readonly string[] };
  readonly fingerprint: string;
}

/** Everything about one resolved name that may be printed, logged or sent (D16). Plain data, no secret in it. */
export interface ServerProjection {
  readonly name: string;
  readonly source: string;
  readonly origin: string;
  readonly status: ResolvedServer["status"];
  readonly disabledBy?: "entry" | "overlay";
  readonly disabledReason?: string;
  /** Absent when the name is unresolved. */
  readonly definition?: DefinitionProjection;
  readonly unsetVariables: readonly { readonly variable: string; readonly path: string }[];
  readonly shadowed: readonly ShadowedEntry[];
  readonly notes: readonly ShownNote[];
  readonly problem?: ShownProblem;
}

export interface ShownNote {
  readonly note: DefinitionNote["note"];
  readonly text: string;
}

/** Projects one resolved name to what may be shown of it. */
export function projectServer(server: ResolvedServer): ServerProjection {
  const base = {
    name: showPlain(server.name),
    source: server.source,
    origin: escapeForDisplay(server.origin),
    status: server.status,
    shadowed: server.shadowed.map(({ source, origin }) => ({ source, origin: escapeForDisplay(origin) })),
  };
  if (server.status === "unresolved") {
    const { kind, reason } = server.problem;
    const path = server.problem.kind === "definition" ? server.problem.path : undefined;
    const text = describeDefinitionRefusal(server.problem);
    const problem = { kind, reason, ...(path !== undefined && { path }), text };
    return { ...base, unsetVariables: [], notes: notesOf(server.problem), problem };
  }
  return {
    ...base,
    ...(server.status === "disabled" && { disabledBy: server.disabledBy }),
    ...(server.status === "disabled" &&
      server.disabledReason !== undefined && { disabledReason: showPlain(server.disabledReason) }),
    definition: projectDefinition(server.definition),
    unsetVariables: server.definition.unsetVariables.map(({ variable, path }) => ({ variable, path })),
    notes: server.definition.notes.map((note) => ({ note: note.note, text: describeDefinitionNote(note) })),
  };
}

function notesOf(
  found: Extract<ResolvedServer, { readonly status: "unresolved" }>["problem"],
): readonly ShownNote[] {
  const keys = found.kind === "definition" ? found.ignoredKeys : undefined;
  if (keys === undefined) return [];
  return [{ note: "ignored", text: describeDefinitionNote({ note: "ignored", keys }) }];
}

/** Projects a definition to what an approver reads: every field that changes authority, no secret (D16). */
export function projectDefinition(definition: ServerDefinition): DefinitionProjection {
  const material = materialOf(definition);
  const { timeoutMs, protocolVersion, oauth } = definition;
  return {
    transport: definition.transport,
    ...projectMaterial(material),
    env: redactedKeys(material.env),
    headers: material.transport === "stdio" ? {} : redactedKeys(material.headers),
    ...(oauth !== undefined && { oauth: projectOauth(oauth) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    skills: definition.skills,
    tools: projectTools(definition.tools),
    fingerprint: definition.fingerprint,
  };
}

function projectMaterial(
  material: Material,
): Pick<DefinitionProjection, "endpoint" | "command" | "args" | "cwd" | "url" | "headersHelper"> {
  if (material.transport === "stdio") {
    const words = [material.command, ...material.args];
    return {
      endpoint: showCommandLine(words),
      command: showText(material.command),
      args: showArguments(words).slice(1),
      ...(material.cwd !== undefined && { cwd: showText(material.cwd) }),
    };
  }
  const url = showUrl(material.url);
  const helper = material.headersHelper;
  if (helper === undefined) return { endpoint: url, url };
  const words = [helper.command, ...helper.args].map((text) => ({ text, stretches: [] }));
  return { endpoint: url, url, headersHelper: showCommandLine(words) };
}

/** `Object.fromEntries` defines own properties, so that a key `__proto__` is a key like any other. */
function redactedKeys(map: ReadonlyMap<string, MaterialisedText>): Readonly<Record<string, typeof REDACTED>> {
  return Object.fromEntries([...map.keys()].toSorted().map((key) => [showPlain(key), REDACTED]));
}

function projectOauth(oauth: OauthSettings): OauthSettings {
  const { clientId, callbackPort, clientMetadataUrl, authServerMetadataUrl, scopes } = oauth;
  return {
    ...(clientId !== undefined && { clientId: showPlain(clientId) }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl: showPlain(clientMetadataUrl) }),
    ...(authServerMetadataUrl !== undefined && { authServerMetadataUrl: showPlain(authServerMetadataUrl) }),
    ...(scopes !== undefined && { scopes: showAll(scopes) }),
  };
}

function projectTools({ allow, deny }: ToolFilter): DefinitionProjection["tools"] {
  return { ...(allow !== undefined && { allow: showAll(allow) }), deny: showAll(deny) };
}

function showAll(texts: readonly string[]): readonly string[] {
  return texts.map((text) => showPlain(text));
}
