import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";
import { SCHEMA_PROFILES } from "../../../src/domain/catalog/profile-rules.ts";
import { profileSchema } from "../../../src/domain/catalog/profile-schema.ts";
import type { JsonObject } from "../../../src/domain/json-value.ts";
import { anySchema, objectInstance, plainSchema } from "../../kit/arbitrary-schema.ts";
import { anyFitting } from "../../kit/fitting-values.ts";
import { brokenRules } from "../../kit/profile-checkers.ts";

const validator = createSchemaValidator();
const schemas = fc.oneof(anySchema, plainSchema);

function narrowed(raw: unknown): JsonObject | undefined {
  const result = narrowSchema(raw);
  return result.ok ? result.value.schema : undefined;
}

for (const profile of SCHEMA_PROFILES) {
  test(`K4 whatever is shown to ${profile} keeps its rules, is JSON and no longer than a multiple`, () => {
    fc.assert(
      fc.property(schemas, (raw) => {
        const schema = narrowed(raw);
        if (schema === undefined) return;
        const { schema: shown } = profileSchema(schema, profile);
        assert.deepEqual(brokenRules(profile, shown), []);
        const text = JSON.stringify(shown);
        assert.deepEqual(JSON.parse(text), shown);
        assert.ok(text.length <= 16 * JSON.stringify(schema).length + 1024);
      }),
      { numRuns: 500 },
    );
  });

  test(`K4 a schema that was never narrowed is shown to ${profile} by its rules too`, () => {
    fc.assert(
      fc.property(schemas, (raw) => {
        assert.deepEqual(brokenRules(profile, profileSchema(raw, profile).schema), []);
      }),
      { numRuns: 300 },
    );
  });

  test(`K4 the profile ${profile} says the same of the same schema, and leaves it alone`, () => {
    fc.assert(
      fc.property(schemas, (raw) => {
        const schema = narrowed(raw);
        if (schema === undefined) return;
        const before = JSON.stringify(schema);
        const [first, second] = [profileSchema(schema, profile), profileSchema(schema, profile)];
        assert.equal(JSON.stringify(first.schema), JSON.stringify(second.schema));
        assert.deepEqual(first.reasons, second.reasons);
        assert.equal(JSON.stringify(schema), before);
      }),
      { numRuns: 100 },
    );
  });
}

test("K4 what fits the narrowed schema fits what is shown to openai and anthropic", () => {
  fc.assert(
    fc.property(schemas, fc.array(objectInstance, { minLength: 16, maxLength: 16 }), (raw, values) => {
      const schema = narrowed(raw);
      if (schema === undefined) return;
      const check = validator.compile(schema);
      for (const profile of ["openai", "anthropic"] as const) {
        const shown = validator.compile(profileSchema(schema, profile).schema);
        for (const value of values) if (check(value).length === 0) assert.deepEqual(shown(value), []);
      }
    }),
    { numRuns: 300 },
  );
});

/* These leave out less than they demand: whatever fits what is shown fits the server's schema as well. */
const ONLY_TIGHTER: ReadonlySet<string> = new Set(["any-value", "additional-closed", "property-renamed"]);

test("K5 what fits the strict schema fits the narrowed one once it is undone", () => {
  let compared = 0;
  let changed = 0;
  const cases = schemas.chain((raw) => {
    const schema = narrowed(raw);
    if (schema === undefined) return fc.constant(undefined);
    const profiled = profileSchema(schema, "openai-strict");
    return fc
      .array(anyFitting(profiled.schema), { minLength: 8, maxLength: 8 })
      .map((values) => ({ schema, profiled, values }));
  });
  fc.assert(
    fc.property(cases, (made) => {
      if (made === undefined) return;
      const { schema, profiled, values } = made;
      if (!profiled.reasons.every(({ reason }) => ONLY_TIGHTER.has(reason))) return;
      const check = validator.compile(schema);
      const isShown = validator.compile(profiled.schema);
      for (const value of values) {
        if (isShown(value).length > 0) continue;
        compared += 1;
        const undone = profiled.undo(value);
        if (undone !== value) changed += 1;
        if (check(value).length > 0) assert.deepEqual(check(undone), []);
      }
    }),
    { numRuns: 600 },
  );
  assert.ok(compared > 500 && changed > 200, `${compared} values were compared, ${changed} of them changed`);
});
