import { objectFrom, type JsonObject } from "../json-value.ts";
import type { ElicitationForm, FormField, FormOption } from "./form.ts";

/**
 * Writes the `requestedSchema` of a form. Options without titles of their own become an `enum`, which every revision
 * knows; others the titled constants of SEP-1330. Decoding what was written gives the same form.
 */
export function formSchema({ fields }: Pick<ElicitationForm, "fields">): JsonObject {
  const required = fields.flatMap((field) => (field.required ? [field.name] : []));
  return {
    type: "object",
    properties: objectFrom(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldSchema(field: FormField): JsonObject {
  const { name: _name, required: _required, ...rest } = field;
  switch (rest.type) {
    case "text":
      return { ...rest, type: "string" };
    case "number":
    case "integer":
    case "boolean":
      return rest;
    case "choice": {
      const { options, ...frame } = rest;
      return { ...frame, type: "string", ...optionList(options, "oneOf") };
    }
    case "choices": {
      const { options, ...frame } = rest;
      const items = optionList(options, "anyOf");
      return { ...frame, type: "array", items: "enum" in items ? { type: "string", ...items } : items };
    }
  }
}

function optionList(options: readonly FormOption[], titledKey: "oneOf" | "anyOf"): JsonObject {
  return options.every(({ value, title }) => value === title)
    ? { enum: options.map(({ value }) => value) }
    : { [titledKey]: options.map(({ value, title }) => ({ const: value, title })) };
}
