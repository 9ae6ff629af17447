import type { CatalogTool } from "./catalog.ts";
import type { CallResult } from "./content-part.ts";
import { decodeCallResult } from "./content.ts";
import { writeJson } from "./json-text.ts";
import { isJsonObject, own } from "../json-value.ts";
import { resultChars } from "./result-size.ts";
import { resultText } from "./result-text.ts";
import { cutText } from "./untrusted-text.ts";

/** Characters of a result's text that its preview shows. */
export const PREVIEW_CHARS = 2_000;

const VERSION = 1;

/** A result that was too large to hand over, read back. */
export interface KeptResult {
  /** The catalog's name of the tool. */
  readonly tool: string;
  readonly serverId: string;
  /** The server's own name of it. */
  readonly sourceName: string;
  /** Whole. Not held against the output schema again: that was reported when it came. */
  readonly result: CallResult;
}

type CalledTool = Pick<CatalogTool, "name" | "serverId" | "sourceName">;

/** Writes the server's whole envelope, and whose it is, as one text (K7). Nothing is left out. */
export function spilledText({ name, serverId, sourceName }: CalledTool, raw: unknown): string {
  const kept = { version: VERSION, tool: name, server: serverId, sourceName, result: raw };
  return writeJson(kept, { keys: "as-given", layout: "compact" });
}

/** Reads back what {@link spilledText} wrote; `undefined`: it did not. */
export function readSpilledText(text: string): KeptResult | undefined {
  const kept = parsed(text);
  if (!isJsonObject(kept) || own(kept, "version") !== VERSION) return undefined;
  const [tool, serverId, sourceName] = [own(kept, "tool"), own(kept, "server"), own(kept, "sourceName")];
  if (typeof tool !== "string" || typeof serverId !== "string" || typeof sourceName !== "string") {
    return undefined;
  }
  return { tool, serverId, sourceName, result: decodeCallResult(own(kept, "result")) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut or foreign; the message would quote it.
    return undefined;
  }
}

/** What is handed over in the place of a result that is kept: the beginning of its text, and where the whole is. */
export function spilledResult(
  whole: CallResult,
  kept: { readonly raw: unknown; readonly reference: string },
): CallResult {
  const { isError, diagnostics, mismatches } = whole;
  return {
    isError,
    parts: [{ type: "text", text: previewOf(whole) }],
    structured: undefined,
    diagnostics: [...diagnostics, "result-spilled"],
    spilled: { reference: kept.reference, chars: resultChars(kept.raw) },
    mismatches,
  };
}

/* A text is cut before it is joined: the rest of it would be cleaned and thrown away. */
function previewOf(whole: CallResult): string {
  const parts = whole.parts.map((part) =>
    part.type === "text" ? { ...part, text: cutText(part.text, PREVIEW_CHARS) } : part,
  );
  return cutText(resultText({ ...whole, parts }), PREVIEW_CHARS);
}
