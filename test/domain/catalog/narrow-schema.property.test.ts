import assert from "node:assert/strict";
import { test } from "node:test";

import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { narrowOutputSchema, narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";
import { anySchema, instance, objectInstance, plainSchema } from "../../kit/arbitrary-schema.ts";

const validator = createSchemaValidator();

/** What the server's own schema says; `undefined` where the library cannot tell (loops, unresolved references). */
function serverAccepts(schema: Record<string, unknown>, value: unknown): boolean | undefined {
  try {
    return new Validator(structuredClone(schema), "2020-12", false).validate(value).valid;
  } catch {
    return undefined;
  }
}

test("K4 narrowing accepts whatever the server's schema accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anySchema, fc.array(objectInstance, { minLength: 16, maxLength: 16 }), (schema, values) => {
      const narrowed = narrowSchema(schema);
      if (!narrowed.ok) {
        if (narrowed.refusal.reason === "accepts-nothing" || narrowed.refusal.reason === "root-not-object") {
          assert.ok(values.every((value) => serverAccepts(schema, value) !== true));
        }
        return;
      }
      const check = validator.compile(narrowed.value.schema);
      for (const value of values) {
        if (serverAccepts(schema, value) !== true) continue;
        accepted += 1;
        assert.deepEqual(check(value), []);
      }
    }),
    { numRuns: 600 },
  );
  assert.ok(accepted > 1000, `only ${accepted} accepted values were compared`);
});

test("K8 narrowing an output schema of any root accepts whatever the server's schema accepts", () => {
  fc.assert(
    fc.property(anySchema, fc.array(instance, { minLength: 16, maxLength: 16 }), (schema, values) => {
      const narrowed = narrowOutputSchema(schema);
      if (!narrowed.ok) return;
      const check = validator.compile(narrowed.value.schema);
      for (const value of values) {
        if (serverAccepts(schema, value) === true) assert.deepEqual(check(value), []);
      }
    }),
    { numRuns: 400 },
  );
});

test("K2 a schema without reasons refuses what the server's schema refuses", () => {
  let refused = 0;
  fc.assert(
    fc.property(plainSchema, fc.array(objectInstance, { minLength: 16, maxLength: 16 }), (schema, values) => {
      const narrowed = narrowSchema(schema);
      if (!narrowed.ok || narrowed.value.reasons.length > 0) return;
      const check = validator.compile(narrowed.value.schema);
      for (const value of values) {
        if (serverAccepts(schema, value) !== false) continue;
        refused += 1;
        assert.notDeepEqual(check(value), []);
      }
    }),
    { numRuns: 600 },
  );
  assert.ok(refused > 300, `only ${refused} refused values were compared`);
});

test("K4 a narrowed schema is JSON, of type object, without references, and no longer than a multiple", () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const narrowed = narrowSchema(schema);
      if (!narrowed.ok) return;
      const text = JSON.stringify(narrowed.value.schema);
      assert.deepEqual(JSON.parse(text), narrowed.value.schema);
      assert.equal(narrowed.value.schema["type"], "object");
      assert.doesNotMatch(text, /"\$ref"|"allOf"|"oneOf"|"not":/);
      assert.ok(text.length <= 16 * JSON.stringify(schema).length + 4096);
    }),
    { numRuns: 400 },
  );
});
