import { escapeForDisplay } from "../../domain/display-text.ts";
import type { FormField } from "../../domain/elicitation/form.ts";

/** Columns of a server's words in one line: with the bar they fit a terminal of 80. */
const WIDTH = 72;
/** From here on most characters take two columns, and none is taken for less than it takes. */
const FIRST_WIDE = 0x11_00;

/**
 * A server's words, each line behind a bar, and broken before a terminal would break it: a line of theirs never begins
 * where ours do. Runs of empty lines, which would push what stands above off the screen, become one.
 */
export function barred(text: string): readonly string[] {
  const lines = text.replace(/\n\s*\n/g, "\n\n").split("\n");
  return lines.flatMap((line) =>
    wrapped(escapeForDisplay(line.replaceAll("\t", " "))).map((part) => `  | ${part}`),
  );
}

function wrapped(line: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let width = 0;
  for (const character of line) {
    const columns = (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
    if (width + columns > WIDTH) {
      parts.push(part);
      part = "";
      width = 0;
    }
    part += character;
    width += columns;
  }
  return [...parts, part];
}

/** What a field asks for: in the server's words behind the bar, then what may be answered. */
export function fieldLines(field: FormField): readonly string[] {
  const { name, title, description } = field;
  return [
    ...barred(title === undefined ? name : `${title} (${name})`),
    ...(description === undefined ? [] : barred(description)),
    ...("options" in field ? field.options : []).flatMap(({ value, title: shown }, index) =>
      barred(shown === value ? `${index + 1}. ${value}` : `${index + 1}. ${shown} (${value})`),
    ),
    ...(field.default === undefined ? [] : barred(`default: ${String(presetText(field))}`)),
  ];
}

function presetText(field: FormField): string | number | boolean {
  const { default: preset = "" } = field;
  return typeof preset === "object" ? preset.join(", ") : preset;
}

/** What may be typed, in our words. */
export function askedFor(field: FormField): string {
  const emptiness = [
    ...(field.default === undefined ? [] : ["empty takes the default"]),
    ...(field.required ? [] : [field.default === undefined ? "empty leaves it out" : "- leaves it out"]),
  ];
  return [kindOf(field), ...emptiness].join("; ");
}

function kindOf(field: FormField): string {
  switch (field.type) {
    case "text":
      return `${field.format ?? "text"}${rangeOf(field.minLength, field.maxLength)}${field.minLength === undefined && field.maxLength === undefined ? "" : " characters"}`;
    case "number":
    case "integer":
      return `${field.type}${rangeOf(field.minimum, field.maximum)}`;
    case "boolean":
      return "yes or no";
    case "choice":
      return "the number of one";
    case "choices":
      return `numbers, with commas${rangeOf(field.minItems, field.maxItems)}`;
  }
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? "" : `, at most ${most}`;
  return most === undefined ? `, at least ${least}` : `, ${least} to ${most}`;
}
