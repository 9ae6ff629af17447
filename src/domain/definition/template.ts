/** One piece of a parsed template text (D8). */
export type TemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly fallback: string | undefined;
      /** As it was written, braces included. */
      readonly written: string;
    }
  /** `${…}` of another host's syntax: never expanded, never passed on. */
  | { readonly kind: "foreign"; readonly written: string };

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/**
 * Cuts a text into literals, `${NAME}` and `${NAME:-default}`, and `${…}` forms that are neither.
 * A `${` that nothing closes is literal text. Linear: no part of the text is scanned twice for its end.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literalFrom = 0;
  let close = -1;
  let open = text.indexOf("${");
  while (open !== -1) {
    // The next brace closes whatever opens here, a default included (D8).
    if (close < open) close = text.indexOf("}", open);
    if (close === -1) break;
    const nextOpen = text.indexOf("${", open + 2);
    const variable = parseVariable(text, open, close);
    // `${ ${A}` holds a valid placeholder behind a broken one: the broken one ends where the next begins.
    const end = variable === undefined && nextOpen !== -1 && nextOpen < close ? nextOpen : close + 1;
    if (open > literalFrom) parts.push({ kind: "literal", text: text.slice(literalFrom, open) });
    parts.push(variable ?? { kind: "foreign", written: text.slice(open, end) });
    literalFrom = end;
    open = nextOpen === -1 || nextOpen >= end ? nextOpen : text.indexOf("${", end);
  }
  if (literalFrom < text.length) parts.push({ kind: "literal", text: text.slice(literalFrom) });
  return parts;
}

function parseVariable(text: string, open: number, close: number): TemplatePart | undefined {
  NAME.lastIndex = open + 2;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const afterName = open + 2 + name.length;
  if (afterName === close) {
    return { kind: "variable", name, fallback: undefined, written: text.slice(open, close + 1) };
  }
  if (!text.startsWith(":-", afterName)) return undefined;
  const fallback = text.slice(afterName + 2, close);
  return { kind: "variable", name, fallback, written: text.slice(open, close + 1) };
}
