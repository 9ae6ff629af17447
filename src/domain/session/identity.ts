import { isJsonObject } from "../catalog/json-value.ts";
import { cleanText } from "../catalog/untrusted-text.ts";

/** Characters of a server's name and version that are kept. */
const INFO_LIMIT = 128;
/** Characters of a server's instructions that are kept; as for descriptions (K9). */
export const INSTRUCTIONS_LIMIT = 8_192;
/** Declared capabilities that are kept, and characters of their names. */
const CAPABILITY_LIMIT = 64;

/** Whose a retained catalog is (C5). Once any of it changes, what was retained is another server's. */
export interface SessionIdentity {
  /** Of the host's own configuration. */
  readonly serverId: string;
  /** The revision that was agreed. */
  readonly protocolVersion: string;
  /** The server's own words. */
  readonly serverVersion: string | undefined;
  /** Whether the server named itself at all. */
  readonly serverInfoProvided: boolean;
  /** Fresh for every connection. */
  readonly carrierGeneration: string;
}

export function sameIdentity(one: SessionIdentity, other: SessionIdentity): boolean {
  return (
    one.serverId === other.serverId &&
    one.protocolVersion === other.protocolVersion &&
    one.serverVersion === other.serverVersion &&
    one.serverInfoProvided === other.serverInfoProvided &&
    one.carrierGeneration === other.carrierGeneration
  );
}

/** Reads how a server names itself: its own words, cleaned and cut; `undefined` when a part is missing. */
export function decodeServerInfo(
  raw: unknown,
): { readonly name: string; readonly version: string } | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { name, version } = raw;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  return { name: cleanText(name, INFO_LIMIT).text, version: cleanText(version, INFO_LIMIT).text };
}

/** Reads what a server declares: the first 64 capabilities, whose names are at most 64 characters. */
export function decodeCapabilities(raw: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(raw)) return new Map();
  const named = Object.entries(raw).filter(([name]) => name.length > 0 && name.length <= CAPABILITY_LIMIT);
  return new Map(named.slice(0, CAPABILITY_LIMIT));
}
