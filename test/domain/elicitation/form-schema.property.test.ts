import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { checkAnswer } from "../../../src/domain/elicitation/check-answer.ts";
import { decodeForm } from "../../../src/domain/elicitation/decode-form.ts";
import { formSchema } from "../../../src/domain/elicitation/form-schema.ts";

const text = fc.string({ maxLength: 12 });
const count = fc.integer({ min: 0, max: 4 });
const options = fc.uniqueArray(fc.record({ const: text, title: text }), {
  minLength: 1,
  maxLength: 4,
  selector: (option) => option.const,
});

const schema = fc.oneof(
  fc.record(
    {
      type: fc.constant("string"),
      title: text,
      description: text,
      minLength: count,
      maxLength: count,
      format: fc.constantFrom("email", "uri", "date", "date-time", "password"),
      default: text,
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("number", "integer", "boolean"),
      minimum: count,
      maximum: count,
      default: fc.anything(),
    },
    { requiredKeys: ["type"] },
  ),
  options.map((oneOf) => ({ type: "string", oneOf, default: oneOf[0]?.const })),
  options.map((list) => ({ type: "string", enum: list.map((option) => option.const) })),
  options.map((anyOf) => ({
    type: "array",
    items: { anyOf },
    minItems: 1,
    default: anyOf.map((option) => option.const),
  })),
  options.map((list) => ({
    type: "array",
    items: { type: "string", enum: list.map((option) => option.const) },
  })),
);

const params = fc
  .record({
    message: text,
    properties: fc.dictionary(fc.string({ maxLength: 8 }), schema, { maxKeys: 5 }),
  })
  .map(({ message, properties }) => ({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties).slice(0, 1) },
  }));

test("C7 decoding what was written of a form gives the same form", () => {
  let read = 0;
  fc.assert(
    fc.property(params, (raw) => {
      const form = decodeForm(raw);
      if (!form.ok) return;
      read += 1;
      const { message } = form.value;
      assert.deepEqual(decodeForm({ message, requestedSchema: formSchema(form.value) }), form);
    }),
  );
  assert.ok(read > 10, "the forms must not all be refused");
});

test("C7 decoding and checking answer to anything, and throw at nothing", () => {
  fc.assert(
    fc.property(fc.anything(), params, fc.anything(), (anything, raw, answer) => {
      decodeForm(anything);
      decodeForm({ message: "", requestedSchema: { type: "object", properties: { f: anything } } });
      const form = decodeForm(raw);
      if (form.ok) checkAnswer(form.value, answer);
    }),
  );
});
