import { accept, refuse, type Outcome } from "../outcome.ts";
import type { JsonObject } from "../json-value.ts";
import type { ProtocolEra } from "./result.ts";

/** How long, and for whom, a server says its answer stays good (C4). A hint: never integrity, never authority. */
export interface Freshness {
  /** Milliseconds. `undefined`: the server said nothing (legacy era). */
  readonly ttlMs: number | undefined;
  readonly cacheScope: "public" | "private" | undefined;
  /** The host's own clock when the answer came, in milliseconds since the epoch. */
  readonly receivedAtMs: number;
}

/**
 * Reads the freshness hint of a page or a read (C3). 2026-07-28 requires both fields, so a missing or a bad
 * one refuses what it stands on. The legacy era knows none: a good hint is shown, anything else ignored.
 */
export function decodeFreshness(
  result: JsonObject,
  options: { readonly era: ProtocolEra; readonly receivedAtMs: number },
): Outcome<Freshness, "invalid-response"> {
  const { era, receivedAtMs } = options;
  const ttlMs = isTtl(result["ttlMs"]) ? result["ttlMs"] : undefined;
  const cacheScope = isScope(result["cacheScope"]) ? result["cacheScope"] : undefined;
  if (era === "modern" && (ttlMs === undefined || cacheScope === undefined))
    return refuse("invalid-response");
  return accept({ ttlMs, cacheScope, receivedAtMs });
}

/** Reads the hint of `server/discover`, where a bad one counts as already stale and private (C3). */
export function decodeDiscoverFreshness(result: JsonObject, receivedAtMs: number): Freshness {
  return {
    ttlMs: isTtl(result["ttlMs"]) ? result["ttlMs"] : 0,
    cacheScope: isScope(result["cacheScope"]) ? result["cacheScope"] : "private",
    receivedAtMs,
  };
}

function isTtl(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isScope(value: unknown): value is "public" | "private" {
  return value === "public" || value === "private";
}
