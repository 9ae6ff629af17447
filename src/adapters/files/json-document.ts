import type { DocumentNode, StringNode, Token, ValueNode } from "@humanwhocodes/momoa";
import type { SourceProblemReason, SourceWarning } from "../../domain/definition/container.ts";

/** Deeper than any configuration; far from where recursion would run out of stack. */
const DEPTH_LIMIT = 64;

export type JsonDialect = "json" | "jsonc";

export type JsonDocument =
  | {
      readonly ok: true;
      /** `undefined` when there is nothing in the text but white space and comments. */
      readonly value: unknown;
      readonly duplicateKeys: readonly (readonly string[])[];
      readonly warnings: readonly SourceWarning["warning"][];
    }
  | {
      readonly ok: false;
      readonly reason: SourceProblemReason;
      readonly line?: number;
      readonly column?: number;
    };

type Momoa = typeof import("@humanwhocodes/momoa");

/**
 * Parses JSON, or JSON with comments and trailing commas, keeping what `JSON.parse` loses: where an error
 * is, and which keys stood twice in one object. The parser's messages quote the text and are dropped.
 */
export async function parseJsonDocument(text: string, dialect: JsonDialect): Promise<JsonDocument> {
  if (isBlank(text)) return { ok: true, value: undefined, duplicateKeys: [], warnings: ["empty-file"] };
  const plain = parsePlainJson(text);
  if (plain !== undefined) return { ok: true, value: plain, duplicateKeys: [], warnings: [] };
  // Loaded here: most files are plain JSON, and the parser that knows more takes longer to load than to run.
  const momoa = await import("@humanwhocodes/momoa");
  const jsonc = dialect === "jsonc";
  let document: DocumentNode;
  try {
    const options = { mode: dialect, allowTrailingCommas: jsonc, ranges: true, tokens: true } as const;
    document = momoa.parse(text, options);
  } catch (error) {
    return explainFailure(text, { error, dialect, momoa });
  }
  const tokens = document.tokens ?? [];
  const warnings: SourceWarning["warning"][] = [];
  if (tokens.some(isComment)) warnings.push("comments");
  if (hasTrailingComma(tokens)) warnings.push("trailing-commas");
  const build: Build = { text, duplicateKeys: [] };
  const value = buildValue(document.body, [], build);
  if (build.failure !== undefined) return build.failure;
  return { ok: true, value, duplicateKeys: build.duplicateKeys, warnings };
}

/**
 * Parses what is plain JSON with every key once, the case of nearly all files, in the engine's own parser. What
 * that parser loses is noticed by a count: the text has one colon outside strings for each member, the value
 * one key. `undefined`: there is something to say about the text, so the other parser has to look.
 */
function parsePlainJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return countMembers(value, 0) === countColons(text) ? value : undefined;
}

/** Never equal to a count of colons where the value is nested too deep. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > DEPTH_LIMIT) return Number.NaN;
  const isList = Array.isArray(value);
  let count = 0;
  for (const member of isList ? value : Object.values(value)) {
    count += countMembers(member, depth + 1) + (isList ? 0 : 1);
  }
  return count;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Of text that is known to be JSON. */
function countColons(text: string): number {
  let count = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) inString = !inString;
    else if (unit === BACKSLASH) index += 1;
    else if (unit === COLON && !inString) count += 1;
  }
  return count;
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

function isComment(token: Token): boolean {
  return token.type === "LineComment" || token.type === "BlockComment";
}

function hasTrailingComma(tokens: readonly Token[]): boolean {
  const significant = tokens.filter((token) => !isComment(token));
  return significant.some((token, index) => {
    const next = significant[index + 1]?.type;
    return token.type === "Comma" && (next === "RBrace" || next === "RBracket");
  });
}

interface Build {
  readonly text: string;
  readonly duplicateKeys: (readonly string[])[];
  failure?: JsonDocument & { readonly ok: false };
}

/** Makes the plain value of a node. Every key becomes an own property, `__proto__` too. */
function buildValue(node: ValueNode, path: readonly string[], build: Build): unknown {
  if (path.length > DEPTH_LIMIT) {
    build.failure ??= { ok: false, reason: "nested-too-deep", ...startOf(node) };
    return undefined;
  }
  switch (node.type) {
    case "Object": {
      const seen = new Set<string>();
      const members = node.members.map(({ name, value }): [string, unknown] => {
        // Unquoted names exist in JSON5 only, which is never asked for.
        const key = name.type === "String" ? readString(name, build) : name.name;
        const memberPath = [...path, key];
        if (seen.has(key)) build.duplicateKeys.push(memberPath);
        seen.add(key);
        return [key, buildValue(value, memberPath, build)];
      });
      return Object.fromEntries(members);
    }
    case "Array":
      return node.elements.map(({ value }, index) => buildValue(value, [...path, String(index)], build));
    case "String":
      return readString(node, build);
    case "Number":
    case "Boolean":
      return node.value;
    case "Null":
    case "NaN":
    case "Infinity":
      break;
  }
  return null;
}

/** The parser lets raw control characters pass in strings, which JSON does not: another reader would refuse. */
function readString(node: StringNode, build: Build): string {
  const [start, end] = node.range ?? [node.loc.start.offset, node.loc.end.offset];
  // oxlint-disable-next-line no-control-regex -- these are what is looked for.
  const control = build.text.slice(start, end).search(/[\u0000-\u001f]/);
  if (control !== -1) {
    const { line, column } = startOf(node);
    build.failure ??= { ok: false, reason: "invalid-syntax", line, column: column + control };
  }
  return node.value;
}

function startOf(node: ValueNode): { readonly line: number; readonly column: number } {
  return { line: node.loc.start.line, column: node.loc.start.column };
}

function explainFailure(
  text: string,
  {
    error,
    dialect,
    momoa,
  }: { readonly error: unknown; readonly dialect: JsonDialect; readonly momoa: Momoa },
): JsonDocument {
  // The parser descends one call a level: only nesting can exhaust the stack.
  if (error instanceof RangeError) return { ok: false, reason: "nested-too-deep" };
  const found = locationOf(error);
  const tokens = tryTokenize(text, { dialect, momoa });
  const significant = tokens?.filter((token) => !isComment(token));
  if (significant?.length === 0) {
    return { ok: true, value: undefined, duplicateKeys: [], warnings: ["empty-file", "comments"] };
  }
  const last = significant?.at(-1);
  if (last !== undefined && endedEarly(last, found)) {
    return { ok: false, reason: "invalid-syntax", ...position(last.loc.end) };
  }
  return { ok: false, reason: "invalid-syntax", ...position(found ?? { line: 1, column: 1 }) };
}

interface Location {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

function position({ line, column }: Pick<Location, "line" | "column">): Pick<Location, "line" | "column"> {
  return { line, column };
}

/**
 * Where the text stops too early the parser names its last token, or the very beginning. A last token that
 * closes something is taken at its word: it closes what was not open.
 */
function endedEarly(last: Token, found: Location | undefined): boolean {
  if (found === undefined) return true;
  if (found.offset === last.loc.start.offset) return last.type !== "RBrace" && last.type !== "RBracket";
  return found.offset === 0;
}

function locationOf(error: unknown): Location | undefined {
  if (!(error instanceof Error) || !("line" in error && "column" in error && "offset" in error))
    return undefined;
  const { line, column, offset } = error;
  if (typeof line !== "number" || typeof column !== "number" || typeof offset !== "number") return undefined;
  return { line, column, offset };
}

/** `undefined` when a character itself is wrong: then the parser's own location is exact. */
function tryTokenize(
  text: string,
  { dialect, momoa }: { readonly dialect: JsonDialect; readonly momoa: Momoa },
): readonly Token[] | undefined {
  try {
    return momoa.tokenize(text, { mode: dialect });
  } catch {
    return undefined;
  }
}
