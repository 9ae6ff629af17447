import type { JsonDocument } from "./json-document.ts";

/** Deeper than any configuration; far from where recursion would run out of stack. */
const DEPTH_LIMIT = 64;

/**
 * Parses TOML 1.0, in which a key that stands twice is a syntax error. The parser's messages quote the text and are
 * dropped; dates become objects that no field takes.
 */
export async function parseTomlDocument(text: string): Promise<JsonDocument> {
  if (text.trim() === "") return { ok: true, value: undefined, duplicateKeys: [], warnings: ["empty-file"] };
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { ok: true, value: parse(text, { maxDepth: DEPTH_LIMIT }), duplicateKeys: [], warnings: [] };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: "nested-too-deep" };
    if (!(error instanceof TomlError)) return { ok: false, reason: "invalid-syntax", line: 1, column: 1 };
    return { ok: false, reason: "invalid-syntax", line: error.line, column: error.column };
  }
}
