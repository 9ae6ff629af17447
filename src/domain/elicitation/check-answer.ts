import { isJsonObject, own } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { ElicitationForm, FormAnswer, FormField, FormValue } from "./form.ts";
import { FIELD_TEXT_LIMIT } from "./limits.ts";
import { hasTextFormat } from "./text-format.ts";

/** Why an answer is none to its form. Never the value, and no name: both are somebody else's words. */
export type AnswerMismatch =
  /** No answer at all: another shape, another action, or content where there is none. */
  | { readonly reason: "not-an-answer" }
  /** Content that nobody asked for. */
  | { readonly reason: "unknown-field" }
  /** `fieldIndex`: in `form.fields`. */
  | { readonly reason: "missing-field" | "wrong-value"; readonly fieldIndex: number };

/**
 * Checks an answer against its form: required fields, types, bounds, formats and options. Nothing is coerced, and no
 * default is filled in: who answers saw the form. What is accepted is a fresh value with the form's fields alone.
 */
export function checkAnswer(form: ElicitationForm, answer: unknown): Outcome<FormAnswer, AnswerMismatch> {
  if (!isJsonObject(answer)) return refuse({ reason: "not-an-answer" });
  const { action } = answer;
  if (action === "decline" || action === "cancel") return accept({ action });
  const content = answer["content"] ?? {};
  if (action !== "accept" || !isJsonObject(content)) return refuse({ reason: "not-an-answer" });
  const names = new Set(form.fields.map(({ name }) => name));
  if (Object.keys(content).some((key) => !names.has(key))) return refuse({ reason: "unknown-field" });
  const values: (readonly [string, FormValue])[] = [];
  for (const [fieldIndex, field] of form.fields.entries()) {
    const value = own(content, field.name);
    if (value === undefined) {
      if (field.required) return refuse({ reason: "missing-field", fieldIndex });
    } else if (fitsField(field, value)) {
      values.push([field.name, typeof value === "object" ? [...value] : value]);
    } else {
      return refuse({ reason: "wrong-value", fieldIndex });
    }
  }
  // A key `__proto__` becomes an ordinary property there.
  return accept({ action, content: Object.fromEntries(values) });
}

/** Whether a value may stand in a field. */
export function fitsField(field: FormField, value: unknown): value is FormValue {
  switch (field.type) {
    case "text":
      return typeof value === "string" && fitsText(field, value);
    case "number":
    case "integer":
      return (
        typeof value === "number" &&
        Number.isFinite(value) &&
        (field.type === "number" || Number.isInteger(value)) &&
        value >= (field.minimum ?? -Infinity) &&
        value <= (field.maximum ?? Infinity)
      );
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return field.options.some((option) => option.value === value);
    case "choices":
      return Array.isArray(value) && fitsChoices(field, value);
  }
}

function fitsText(field: FormField & { readonly type: "text" }, text: string): boolean {
  if (text.length > FIELD_TEXT_LIMIT) return false;
  const length = codePoints(text);
  if (length < (field.minLength ?? 0) || length > (field.maxLength ?? Infinity)) return false;
  return field.format === undefined || hasTextFormat(text, field.format);
}

function fitsChoices(field: FormField & { readonly type: "choices" }, chosen: readonly unknown[]): boolean {
  if (chosen.length < (field.minItems ?? 0) || chosen.length > (field.maxItems ?? field.options.length))
    return false;
  const open = new Set<unknown>(field.options.map(({ value }) => value));
  return chosen.every((value) => open.delete(value));
}

function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
