/** A regular expression as far as its cost is concerned: what a character matches does not matter. */
export type PatternNode =
  | { readonly kind: "start" }
  | { readonly kind: "assertion" }
  | { readonly kind: "character" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternatives"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      /** `undefined`: without end. */
      readonly max: number | undefined;
    };

interface Cursor {
  readonly text: string;
  at: number;
}

class Unsupported extends Error {}

const ESCAPE =
  /\\(?:u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[A-Za-z0-9_=]{1,64}\}|0(?!\d)|[dDsSwWtnrfv^$\\.*+?()[\]{}|/-])/y;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
const BRACES = /\{(\d{1,6})(?:(,)(\d{0,6}))?\}/y;
const GROUP_OPENING = /\((?:\?:|\?<[A-Za-z_$][\w$]{0,63}>)?(?!\?)/y;

/**
 * Parses the part of the language whose cost can be bounded. `unsupported`: look-around, back-references,
 * inline flags, or no regular expression at all. Nesting is bounded by the pattern's length, at most 256.
 */
export function parsePattern(text: string): PatternNode | "unsupported" {
  const cursor: Cursor = { text, at: 0 };
  try {
    const tree = parseAlternatives(cursor);
    return cursor.at === text.length ? tree : "unsupported";
  } catch (error) {
    if (error instanceof Unsupported) return "unsupported";
    throw error;
  }
}

function parseAlternatives(cursor: Cursor): PatternNode {
  const branches = [parseSequence(cursor)];
  while (cursor.text[cursor.at] === "|") {
    cursor.at += 1;
    branches.push(parseSequence(cursor));
  }
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: "alternatives", branches };
}

function parseSequence(cursor: Cursor): PatternNode {
  const parts: PatternNode[] = [];
  while (cursor.at < cursor.text.length && !"|)".includes(cursor.text[cursor.at] ?? "")) {
    parts.push(parseRepeat(parseAtom(cursor), cursor));
  }
  return { kind: "sequence", parts };
}

function parseAtom(cursor: Cursor): PatternNode {
  switch (cursor.text[cursor.at] ?? "") {
    case "^":
      cursor.at += 1;
      return { kind: "start" };
    case "$":
      cursor.at += 1;
      return { kind: "assertion" };
    case "(":
      return parseGroup(cursor);
    case "[":
      take(CLASS, cursor);
      return { kind: "character" };
    case "\\":
      if (/[bB]/.test(cursor.text[cursor.at + 1] ?? "")) {
        cursor.at += 2;
        return { kind: "assertion" };
      }
      take(ESCAPE, cursor);
      return { kind: "character" };
    case "*":
    case "+":
    case "?":
    case "{":
    case "}":
    case "]":
      throw new Unsupported();
    default:
      cursor.at += (cursor.text.codePointAt(cursor.at) ?? 0) > 0xffff ? 2 : 1;
      return { kind: "character" };
  }
}

function parseGroup(cursor: Cursor): PatternNode {
  take(GROUP_OPENING, cursor);
  const body = parseAlternatives(cursor);
  if (cursor.text[cursor.at] !== ")") throw new Unsupported();
  cursor.at += 1;
  return { kind: "sequence", parts: [body] };
}

function parseRepeat(body: PatternNode, cursor: Cursor): PatternNode {
  const count = parseCount(cursor);
  if (count === undefined) return body;
  /* A lazy repetition tries the same ways in another order. */
  if (cursor.text[cursor.at] === "?") cursor.at += 1;
  if (body.kind === "start" || body.kind === "assertion") throw new Unsupported();
  if (count.max !== undefined && count.max < count.min) throw new Unsupported();
  return { kind: "repeat", body, ...count };
}

function parseCount(cursor: Cursor): { min: number; max: number | undefined } | undefined {
  const sign = cursor.text[cursor.at] ?? "";
  if (sign !== "" && "*+?".includes(sign)) {
    cursor.at += 1;
    return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : undefined };
  }
  if (sign !== "{") return undefined;
  const [, min, comma, max] = take(BRACES, cursor);
  const least = Number(min);
  if (comma === undefined) return { min: least, max: least };
  return { min: least, max: max === undefined || max === "" ? undefined : Number(max) };
}

function take(expression: RegExp, cursor: Cursor): RegExpExecArray {
  expression.lastIndex = cursor.at;
  const match = expression.exec(cursor.text);
  if (match === null) throw new Unsupported();
  cursor.at += match[0].length;
  return match;
}
