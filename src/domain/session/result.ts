import { accept, refuse, type Outcome } from "../outcome.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";
import type { SessionReason } from "./refusal.ts";

export type ProtocolEra = "legacy" | "modern";

/**
 * Reads what kind of result an answer holds (C3). In the legacy era every object is a result. In 2026-07-28
 * a result says its type, and one that does not is refused: a server that forgot it may have meant a
 * question.
 */
export function decodeResult(
  raw: unknown,
  era: ProtocolEra,
): Outcome<JsonObject, Extract<SessionReason, "invalid-response" | "input-required" | "not-supported">> {
  if (!isJsonObject(raw)) return refuse("invalid-response");
  if (era === "legacy") return accept(raw);
  const { resultType, ...result } = raw;
  if (typeof resultType !== "string") return refuse("invalid-response");
  if (resultType === "input_required") return refuse("input-required");
  return resultType === "complete" ? accept(result) : refuse("not-supported");
}
