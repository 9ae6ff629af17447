import { cleanText } from "../catalog/untrusted-text.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { fitsField } from "./check-answer.ts";
import { decodeOptions } from "./decode-options.ts";
import type { FormField, FormOption } from "./form.ts";
import { FIELD_DESCRIPTION_LIMIT, FORM_TITLE_LIMIT } from "./limits.ts";
import type { FormReason } from "./refusal.ts";
import { isTextFormat } from "./text-format.ts";

/** What a field is called, and whether it must be answered. */
interface Place {
  readonly name: string;
  readonly required: boolean;
}

type Reading = Outcome<FormField, FormReason>;

/** Reads one primitive of a form's schema. */
export function decodeField(schema: unknown, place: Place): Reading {
  if (!isJsonObject(schema)) return refuse("form-malformed");
  const { title, description } = schema;
  if (!isTextOrNothing(title) || !isTextOrNothing(description)) return refuse("form-malformed");
  if ((title?.length ?? 0) > FORM_TITLE_LIMIT || (description?.length ?? 0) > FIELD_DESCRIPTION_LIMIT) {
    return refuse("form-too-large");
  }
  const frame = { ...place, ...shownAs("title", title), ...shownAs("description", description) };
  switch (schema["type"]) {
    case "string":
      return schema["enum"] === undefined && schema["oneOf"] === undefined
        ? decodeText(schema, frame)
        : decodeChoice(schema, frame);
    case "number":
      return decodeNumber(schema, { ...frame, type: "number" });
    case "integer":
      return decodeNumber(schema, { ...frame, type: "integer" });
    case "boolean":
      return accept(withDefault({ ...frame, type: "boolean" }, schema));
    case "array":
      return decodeChoices(schema, frame);
    default:
      return refuse("form-malformed");
  }
}

function decodeText(schema: JsonObject, frame: Place): Reading {
  const { minLength, maxLength, format } = schema;
  if (!isRange(minLength, maxLength, isCount)) return refuse("form-malformed");
  return accept(
    withDefault(
      {
        ...frame,
        type: "text",
        ...(isCount(minLength) && { minLength }),
        ...(isCount(maxLength) && { maxLength }),
        // Any other is a note to the reader of the schema (JSON Schema, section 7.2.1).
        ...(isTextFormat(format) && { format }),
      },
      schema,
    ),
  );
}

function decodeNumber(schema: JsonObject, frame: Place & { readonly type: "number" | "integer" }): Reading {
  const { minimum, maximum } = schema;
  if (!isRange(minimum, maximum, isNumber)) return refuse("form-malformed");
  return accept(
    withDefault(
      { ...frame, ...(isNumber(minimum) && { minimum }), ...(isNumber(maximum) && { maximum }) },
      schema,
    ),
  );
}

function decodeChoice(schema: JsonObject, frame: Place): Reading {
  const options = decodeOptions(schema, "oneOf");
  return options.ok
    ? accept(withDefault({ ...frame, type: "choice", options: options.value }, schema))
    : options;
}

function decodeChoices(schema: JsonObject, frame: Place): Reading {
  const { items, minItems, maxItems } = schema;
  if (!isJsonObject(items) || !isRange(minItems, maxItems, isCount)) return refuse("form-malformed");
  const options = decodeOptions(items, "anyOf");
  if (!options.ok) return options;
  if (isCount(minItems) && minItems > options.value.length) return refuse("form-malformed");
  const counts = { ...(isCount(minItems) && { minItems }), ...(isCount(maxItems) && { maxItems }) };
  return accept(withDefault({ ...frame, type: "choices", options: options.value, ...counts }, schema));
}

function withDefault(
  field: FormField & { readonly options?: readonly FormOption[] },
  schema: JsonObject,
): FormField {
  const preset = schema["default"];
  if (!fitsField(field, preset)) return field;
  // It would be sent as it is, and could not be read as it is.
  if (
    field.type === "text" &&
    typeof preset === "string" &&
    cleanText(preset, preset.length).text !== preset
  ) {
    return field;
  }
  // `as`: `fitsField` has just said that this field takes this value.
  return { ...field, default: typeof preset === "object" ? [...preset] : preset } as FormField;
}

/** Nothing where nothing of it can be seen. */
function shownAs(
  key: "title" | "description",
  text: string | undefined,
): Pick<FormField, "title" | "description"> {
  const shown = cleanText(text ?? "").text;
  return shown.trim() === "" ? {} : { [key]: shown };
}

function isRange(least: unknown, most: unknown, isBound: (value: unknown) => boolean): boolean {
  if (least !== undefined && !isBound(least)) return false;
  if (most !== undefined && !isBound(most)) return false;
  return least === undefined || most === undefined || Number(least) <= Number(most);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
