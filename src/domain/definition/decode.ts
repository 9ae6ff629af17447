import { accept, refuse, type Outcome } from "../outcome.ts";
import { isServerName } from "../names.ts";
import { decodeHttpMaterial, decodeStdioMaterial } from "./decode-material.ts";
import { decodeOauth } from "./decode-oauth.ts";
import { decodeSettings, type Settings } from "./decode-settings.ts";
import { decodeTransport, type DecodedTransport } from "./decode-transport.ts";
import {
  createDefinition,
  type DefinitionNote,
  type DefinitionSource,
  type Material,
  type OauthSettings,
  type ServerDefinition,
} from "./definition.ts";
import { ENTRY_KEYS } from "./entry-keys.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { hasField, problem, type Read } from "./fields.ts";
import { fingerprintOf, securityIdentityOf } from "./fingerprint.ts";
import type { ConfigFormat, KnownFolders } from "./foreign/format.ts";
import { translateEntry } from "./foreign/translate.ts";
import type { Findings } from "./materialise.ts";
import type { DefinitionProblem } from "./problem.ts";
import type { Environment } from "./resolution.ts";

/** One entry of a container, as it was parsed. */
export interface Entry {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly origin: string;
  readonly value: unknown;
  /** A key that stood twice in the entry, or the entry itself: the field path, `""` for the entry. */
  readonly duplicate?: string | undefined;
  /** Whose shape the value has (D1c). Default: our own. */
  readonly format?: ConfigFormat;
  readonly folders?: KnownFolders | undefined;
}

/**
 * Decodes one entry to a definition, or to the first problem in it (D2–D10).
 *
 * Never throws, whatever the entry holds. `environment` is asked only for the names that occur in the
 * entry's templates. No configured value is part of a problem.
 */
export function decodeEntry(
  entry: Entry,
  { environment }: { readonly environment: Environment },
): Outcome<ServerDefinition, DefinitionProblem> {
  if (!isServerName(entry.name)) {
    return problem("invalid-name", "", "1 to 128 printable characters, not only white space");
  }
  if (entry.duplicate !== undefined) {
    return problem("duplicate-key", entry.duplicate, "each key once");
  }
  if (!isJsonObject(entry.value)) return problem("not-object", "", "an object");
  const { format = "mcp", folders = {} } = entry;
  const translated = translateEntry(entry.value, { format, folders });
  if (!translated.ok) return translated;
  const { value, notes, asWritten } = translated.value;
  const parts = decodeParts(value, environment);
  return parts.ok ? accept(assemble(entry, parts.value, notes)) : refuse(asWritten(parts.refusal));
}

interface DecodedParts {
  readonly transport: DecodedTransport;
  readonly material: Material;
  readonly oauth: OauthSettings | undefined;
  readonly settings: Settings;
  readonly findings: Findings;
  readonly ignored: readonly string[];
}

function decodeParts(value: JsonObject, environment: Environment): Read<DecodedParts> {
  const transport = decodeTransport(value);
  const ignored = Object.keys(value).filter((key) => !ENTRY_KEYS.has(key));
  if (!transport.ok) return withIgnored(transport.refusal, ignored);
  const findings: Findings = { unset: [], foreign: [] };
  const context = { environment, findings };
  const kind = transport.value.transport;
  const material =
    kind === "stdio" ? decodeStdioMaterial(value, context) : decodeHttpMaterial(value, kind, context);
  if (!material.ok) return withIgnored(material.refusal, ignored);
  const oauth = decodeOauth(own(value, "oauth"));
  if (!oauth.ok) return oauth;
  if (oauth.value !== undefined && hasField(value, "headersHelper")) {
    return problem("conflicting-fields", "headersHelper", "`oauth` or `headersHelper`, not both");
  }
  const settings = decodeSettings(value);
  if (!settings.ok) return settings;
  return accept({
    transport: transport.value,
    material: material.value,
    oauth: oauth.value,
    settings: settings.value,
    findings,
    ignored,
  });
}

function withIgnored(found: DefinitionProblem, ignoredKeys: readonly string[]): Read<never> {
  const helps = found.reason === "missing-field" && ignoredKeys.length > 0;
  return refuse(helps ? { ...found, ignoredKeys } : found);
}

function assemble(
  entry: Entry,
  parts: DecodedParts,
  translated: readonly DefinitionNote[],
): ServerDefinition {
  const { material, oauth, settings, findings } = parts;
  const covered = { ...settings, ...(oauth !== undefined && { oauth }) };
  return createDefinition(
    {
      name: entry.name,
      source: entry.source,
      origin: entry.origin,
      transport: parts.transport.transport,
      fingerprint: fingerprintOf(covered, material),
      securityIdentity: securityIdentityOf(entry),
      ...covered,
      hasHeadersHelper: material.transport !== "stdio" && material.headersHelper !== undefined,
      notes: [...translated, ...notesOf(parts)],
      unsetVariables: findings.unset,
    },
    material,
  );
}

/** Hosts count `timeout` in seconds or in milliseconds; outside of this a unit was probably mistaken. */
const PLAUSIBLE_MS = { min: 1000, max: 3_600_000 };

function notesOf(parts: DecodedParts): readonly DefinitionNote[] {
  const { transport, material, findings, ignored, settings } = parts;
  const { timeoutMs } = settings;
  const notes: DefinitionNote[] = [];
  if (transport.note !== undefined) notes.push(transport.note);
  if (material.transport !== "stdio" && material.env.size > 0) notes.push({ note: "env-unused" });
  if (timeoutMs !== undefined && (timeoutMs < PLAUSIBLE_MS.min || timeoutMs > PLAUSIBLE_MS.max)) {
    notes.push({ note: "timeout-implausible", timeoutMs });
  }
  notes.push(...findings.foreign);
  if (ignored.length > 0) notes.push({ note: "ignored", keys: ignored });
  return notes;
}
