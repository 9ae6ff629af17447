import { fitsField } from "../../domain/elicitation/check-answer.ts";
import type { FormField, FormValue } from "../../domain/elicitation/form.ts";

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const YES = new Set(["y", "yes", "true"]);
const NO = new Set(["n", "no", "false"]);

/** What a line means in a field: a value, nothing at all, or neither. */
export type TypedValue = { readonly value: FormValue } | "left-out" | "does-not-fit";

/** Reads a line that a person typed for a field. What is read fits the field. */
export function typedValue(field: FormField, line: string): TypedValue {
  if (line.trim() === "") {
    if (field.default !== undefined) return { value: field.default };
    return field.required ? "does-not-fit" : "left-out";
  }
  if (line.trim() === "-" && !field.required && field.default !== undefined) return "left-out";
  const value = valueOf(field, line);
  return fitsField(field, value) ? { value } : "does-not-fit";
}

function valueOf(field: FormField, line: string): unknown {
  const word = line.trim();
  switch (field.type) {
    case "text":
      return line;
    case "number":
    case "integer":
      return NUMBER.test(word) ? Number(word) : undefined;
    case "boolean":
      return YES.has(word.toLowerCase()) ? true : NO.has(word.toLowerCase()) ? false : undefined;
    case "choice":
      return optionOf(field.options, word);
    case "choices":
      return word.split(",").map((part) => optionOf(field.options, part.trim()));
  }
}

/** By its number alone: an option may be called like another one's number. */
function optionOf(options: readonly { readonly value: string }[], word: string): string | undefined {
  return /^\d{1,3}$/.test(word) ? options[Number(word) - 1]?.value : undefined;
}
