import { cleanText } from "../catalog/untrusted-text.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { decodeField } from "./decode-field.ts";
import type { ElicitationForm, FormField } from "./form.ts";
import { FIELD_NAME_LIMIT, FORM_FIELD_LIMIT, FORM_MESSAGE_LIMIT } from "./limits.ts";
import type { FormReason } from "./refusal.ts";

/**
 * Reads the parameters of `elicitation/create` (2025-06-18 to 2026-07-28; options as in SEP-1330, those with
 * `enumNames` too). Texts are cleaned and bounded. Unknown keywords are left out, and so is a default that its own
 * field would not take or that cannot be seen as it is.
 */
export function decodeForm(params: unknown): Outcome<ElicitationForm, FormReason> {
  if (!isJsonObject(params)) return refuse("form-malformed");
  const { mode = "form", message, requestedSchema: schema } = params;
  if (mode === "url") return refuse("url-mode");
  if (mode !== "form" || typeof message !== "string" || !isJsonObject(schema))
    return refuse("form-malformed");
  const { type, properties, required = [] } = schema;
  if (type !== "object" || !isJsonObject(properties) || !Array.isArray(required))
    return refuse("form-malformed");
  if (message.length > FORM_MESSAGE_LIMIT || required.length > FORM_FIELD_LIMIT)
    return refuse("form-too-large");
  const fields = decodeFields(properties, new Set<unknown>(required));
  return fields.ok ? accept({ message: cleanText(message).text, fields: fields.value }) : fields;
}

function decodeFields(
  properties: JsonObject,
  required: ReadonlySet<unknown>,
): Outcome<readonly FormField[], FormReason> {
  const entries = Object.entries(properties);
  if (entries.length > FORM_FIELD_LIMIT) return refuse("form-too-large");
  const fields: FormField[] = [];
  for (const [name, schema] of entries) {
    if (name.length > FIELD_NAME_LIMIT) return refuse("form-too-large");
    const field = decodeField(schema, { name, required: required.has(name) });
    if (!field.ok) return field;
    fields.push(field.value);
  }
  // One that is required and cannot be given would leave no answer but a no.
  const names = new Set<unknown>(fields.map(({ name }) => name));
  return [...required].every((name) => names.has(name)) ? accept(fields) : refuse("form-malformed");
}
