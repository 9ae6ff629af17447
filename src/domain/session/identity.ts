import { isJsonObject, type JsonObject } from "../json-value.ts";
import { cleanText } from "../catalog/untrusted-text.ts";
import { decodeDiscoverFreshness, type Freshness } from "./freshness.ts";
import type { ProtocolEra } from "./result.ts";

/** Characters of a server's name and version that are kept. */
const INFO_LIMIT = 128;
/** Characters of a server's instructions that are kept; as for descriptions (K9). */
const INSTRUCTIONS_LIMIT = 8_192;
/** Declared capabilities that are kept, and characters of their names that are taken. */
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

export function sessionIdentity(
  serverId: string,
  peer: PeerIdentity,
  carrierGeneration: string,
): SessionIdentity {
  return {
    serverId,
    protocolVersion: peer.protocolVersion,
    serverVersion: peer.serverInfo?.version,
    serverInfoProvided: peer.serverInfo !== undefined,
    carrierGeneration,
  };
}

/** What a server said of itself when the connection was made. */
export interface PeerIdentity {
  readonly era: ProtocolEra;
  /** The revision that was agreed. */
  readonly protocolVersion: string;
  /** Name and version as the server gave them: untrusted text, cleaned and cut. */
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** Declared capabilities, by name; values are untrusted JSON. */
  readonly capabilities: ReadonlyMap<string, unknown>;
  /** Untrusted text, cleaned and cut. */
  readonly instructions: string | undefined;
  /** Of the `server/discover` answer (2026-07-28 only). */
  readonly freshness: Freshness | undefined;
}

/** Where a result of 2026-07-28 says whose it is. */
const SERVER_INFO_META = "io.modelcontextprotocol/serverInfo";

/** Reads the answer to `initialize` or `server/discover`, item by item: what is malformed counts as not said. */
export function decodePeerIdentity(
  raw: JsonObject,
  agreed: { readonly era: ProtocolEra; readonly protocolVersion: string; readonly receivedAtMs: number },
): PeerIdentity {
  const { era, protocolVersion, receivedAtMs } = agreed;
  const { serverInfo, capabilities, instructions, _meta: meta } = raw;
  const named = era === "legacy" ? serverInfo : isJsonObject(meta) ? meta[SERVER_INFO_META] : undefined;
  return {
    era,
    protocolVersion,
    serverInfo: decodeServerInfo(named),
    capabilities: decodeCapabilities(capabilities),
    instructions:
      typeof instructions === "string" ? cleanText(instructions, INSTRUCTIONS_LIMIT).text : undefined,
    freshness: era === "modern" ? decodeDiscoverFreshness(raw, receivedAtMs) : undefined,
  };
}

function decodeServerInfo(raw: unknown): PeerIdentity["serverInfo"] {
  if (!isJsonObject(raw)) return undefined;
  const { name, version } = raw;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  return { name: cleanText(name, INFO_LIMIT).text, version: cleanText(version, INFO_LIMIT).text };
}

/** The first 64 capabilities whose names are at most 64 characters long. */
function decodeCapabilities(raw: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(raw)) return new Map();
  const named = Object.entries(raw).filter(([name]) => name.length > 0 && name.length <= CAPABILITY_LIMIT);
  return new Map(named.slice(0, CAPABILITY_LIMIT));
}
