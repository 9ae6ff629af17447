import { cleanText, cutText } from "../catalog/untrusted-text.ts";
import { escapeForDisplay } from "../display-text.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { FormOption } from "./form.ts";
import { FORM_OPTION_LIMIT, FORM_TITLE_LIMIT, OPTION_VALUE_LIMIT } from "./limits.ts";
import type { FormReason } from "./refusal.ts";

/**
 * Reads the options of a choice: `enum`, with or without the older `enumNames`, or the titled constants of SEP-1330
 * under `titledKey`. None, or one value twice, is no choice.
 */
export function decodeOptions(
  schema: JsonObject,
  titledKey: "oneOf" | "anyOf",
): Outcome<readonly FormOption[], FormReason> {
  const { enum: values, enumNames, [titledKey]: titled } = schema;
  const list = values ?? titled;
  if (!Array.isArray(list) || list.length === 0) return refuse("form-malformed");
  if (list.length > FORM_OPTION_LIMIT) return refuse("form-too-large");
  const names: readonly unknown[] =
    Array.isArray(enumNames) && enumNames.length === list.length ? enumNames : [];
  const options: FormOption[] = [];
  for (const [index, entry] of list.entries()) {
    const option = values === undefined ? readTitled(entry) : readOption(entry, names[index]);
    if (!option.ok) return option;
    options.push(option.value);
  }
  const different = new Set(options.map(({ value }) => value)).size === options.length;
  return different ? accept(options) : refuse("form-malformed");
}

function readTitled(entry: unknown): Outcome<FormOption, FormReason> {
  return isJsonObject(entry) ? readOption(entry["const"], entry["title"]) : refuse("form-malformed");
}

/** Without a title that can be seen the value is shown, escaped: two that differ never look the same. */
function readOption(value: unknown, title: unknown): Outcome<FormOption, FormReason> {
  if (typeof value !== "string" || (title !== undefined && typeof title !== "string")) {
    return refuse("form-malformed");
  }
  if (value.length > OPTION_VALUE_LIMIT || (title?.length ?? 0) > FORM_TITLE_LIMIT)
    return refuse("form-too-large");
  const shown =
    title === undefined ? cutText(escapeForDisplay(value), FORM_TITLE_LIMIT) : cleanText(title).text;
  return accept({ value, title: shown });
}
