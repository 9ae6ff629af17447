import type { SchemaCheck } from "./arguments.ts";
import type { CallResult, ContentPart, ResourceContents, ResultDiagnostic } from "./content-part.ts";
import { decodePart, decodeResource, malformed } from "./decode-part.ts";
import type { TextNotes } from "./decode-part.ts";
import { isJsonObject, own } from "../json-value.ts";
import { cleanText } from "./untrusted-text.ts";

/**
 * Decodes the raw result of `tools/call` (K6). Never throws and never loses content: what is malformed is
 * marked in its place. Links and embedded resources are data; nothing is fetched.
 */
export function decodeCallResult(raw: unknown): CallResult {
  if (!isJsonObject(raw)) {
    return { ...EMPTY_RESULT, isError: true, diagnostics: ["result-not-an-object"] };
  }
  const diagnostics: ResultDiagnostic[] = [];
  const flag = own(raw, "isError") ?? false;
  if (typeof flag !== "boolean") diagnostics.push("error-flag-malformed");
  const sent = own(raw, "structuredContent");
  const structured = sent === undefined ? undefined : { value: sent };
  const parts = decodeParts(own(raw, "content"), structured !== undefined, diagnostics);
  if (structured !== undefined) parts.push({ type: "structured", value: structured.value });
  return { ...EMPTY_RESULT, isError: flag !== false, parts, structured, diagnostics };
}

const EMPTY_RESULT: CallResult = {
  isError: false,
  parts: [],
  structured: undefined,
  diagnostics: [],
  mismatches: [],
};

/**
 * Adds what `structuredContent` lacks against the tool's output schema (K8). A failed result is not checked:
 * its words are what matters. Missing or mismatching is reported; all content stays.
 */
export function checkStructured(result: CallResult, check: SchemaCheck): CallResult {
  if (result.isError) return result;
  if (result.structured === undefined) {
    return { ...result, diagnostics: [...result.diagnostics, "structured-missing"] };
  }
  const mismatches = check(result.structured.value);
  if (mismatches.length === 0) return result;
  return { ...result, mismatches, diagnostics: [...result.diagnostics, "structured-mismatch"] };
}

function decodeParts(raw: unknown, optional: boolean, diagnostics: ResultDiagnostic[]): ContentPart[] {
  if (raw === undefined || raw === null) {
    if (!optional) diagnostics.push("content-missing");
    return [];
  }
  if (!Array.isArray(raw)) {
    diagnostics.push("content-not-a-list");
    return [];
  }
  const notes: TextNotes = new Set();
  const parts = raw.map((block: unknown) => decodePart(block, notes));
  if (parts.some((part) => part.type === "malformed")) diagnostics.push("part-malformed");
  diagnostics.push(...notes);
  return parts;
}

export interface PromptMessage {
  readonly role: "user" | "assistant" | "unknown";
  readonly part: ContentPart;
}

export interface PromptResult {
  /** Cleaned, at most 8,192 characters. */
  readonly description: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly diagnostics: readonly ResultDiagnostic[];
}

/** Decodes the raw result of `prompts/get`, by the same rules. */
export function decodePromptResult(raw: unknown): PromptResult {
  if (!isJsonObject(raw))
    return { description: undefined, messages: [], diagnostics: ["result-not-an-object"] };
  const described = own(raw, "description");
  const description = typeof described === "string" ? cleanText(described).text : undefined;
  const list = own(raw, "messages");
  if (!Array.isArray(list)) return { description, messages: [], diagnostics: ["content-missing"] };
  const notes: TextNotes = new Set();
  const messages = list.map((message: unknown) => decodeMessage(message, notes));
  const marked = messages.some(({ role, part }) => role === "unknown" || part.type === "malformed");
  return { description, messages, diagnostics: [...(marked ? MALFORMED : []), ...notes] };
}

const MALFORMED: readonly ResultDiagnostic[] = ["part-malformed"];

function decodeMessage(raw: unknown, notes: TextNotes): PromptMessage {
  if (!isJsonObject(raw)) return { role: "unknown", part: malformed("not-an-object", "") };
  const role = own(raw, "role");
  const part = decodePart(own(raw, "content"), notes);
  return { role: role === "user" || role === "assistant" ? role : "unknown", part };
}

export interface ResourceResult {
  readonly contents: readonly ResourceContents[];
  /** How many entries were left out because they are no resource contents. */
  readonly malformed: number;
  readonly diagnostics: readonly ResultDiagnostic[];
}

/** Decodes the raw result of `resources/read`, by the same rules. */
export function decodeResourceContents(raw: unknown): ResourceResult {
  if (!isJsonObject(raw)) return { contents: [], malformed: 0, diagnostics: ["result-not-an-object"] };
  const list = own(raw, "contents");
  if (!Array.isArray(list)) return { contents: [], malformed: 0, diagnostics: ["content-missing"] };
  const notes: TextNotes = new Set();
  const decoded = list.map((entry: unknown) => decodeResource(entry, notes));
  const contents = decoded.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const lost = decoded.length - contents.length;
  return { contents, malformed: lost, diagnostics: [...(lost === 0 ? [] : MALFORMED), ...notes] };
}
