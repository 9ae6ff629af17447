import { cpuUsage } from "node:process";

import { createSchemaValidator } from "../src/adapters/json-schema/validator.ts";
import { buildServerCatalog } from "../src/domain/catalog/build.ts";
import { narrowSchema } from "../src/domain/catalog/narrow-schema.ts";

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** An input schema like real ones: ten properties, two of them nested, an enum, a union, a shared definition. */
function makeSchema(index: number): { readonly [keyword: string]: unknown } {
  const text = { type: "string", description: `What to look for in collection ${index}.` };
  const page = {
    type: "object",
    properties: { size: { type: "integer", minimum: 1, maximum: 100 }, cursor: { type: "string" } },
    additionalProperties: false,
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      query: { ...text, minLength: 1 },
      kind: { type: "string", enum: ["issue", "change", "comment", "note"] },
      since: { type: "string", format: "date-time", description: "Only what is newer." },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      labels: { type: "array", items: { type: "string", pattern: "^[a-z-]+$" }, maxItems: 20 },
      page: { $ref: "#/definitions/page" },
      next: { $ref: "#/definitions/page" },
      owner: { anyOf: [{ type: "string" }, { type: "null" }] },
      archived: { type: "boolean" },
      order: { type: "object", properties: { by: text, descending: { type: "boolean" } }, required: ["by"] },
    },
    required: ["query"],
    additionalProperties: false,
    definitions: { page },
  };
}

/** Milliseconds of processor time (other work on the machine counts less), the median of seven runs after one. */
function median(work: () => void): number {
  work();
  const times = Array.from({ length: 7 }, () => {
    const started = cpuUsage();
    work();
    const { user, system } = cpuUsage(started);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[3] ?? Number.NaN;
}

function narrowAll(schemas: readonly unknown[]): void {
  for (const schema of schemas)
    if (!narrowSchema(schema).ok) throw new TypeError("a schema was not narrowed");
}

/** Narrows 1,000 and 4,000 schemas (the bound is 100 ms for the first), and checks one call's arguments. */
export async function run(): Promise<readonly BenchRow[]> {
  const schemas = Array.from({ length: 4000 }, (_, index) => makeSchema(index));
  const small = median(() => {
    narrowAll(schemas.slice(0, 1000));
  });
  const large = median(() => {
    narrowAll(schemas);
  });
  const tools = schemas.map((inputSchema, index) => ({
    name: `tool_${index}`,
    description: "A tool.",
    inputSchema,
  }));
  const catalog = median(() => {
    buildServerCatalog({ serverId: "bench", tools });
  });
  const narrowed = narrowSchema(makeSchema(0));
  const check = createSchemaValidator().compile(narrowed.ok ? narrowed.value.schema : {});
  const args = { query: "x", kind: "issue", labels: ["a", "b"], page: { size: 10 }, order: { by: "age" } };
  const checks = median(() => {
    for (let count = 0; count < 1000; count += 1)
      if (check(args).length > 0) throw new TypeError("did not fit");
  });
  return [
    { name: "narrow 1,000 input schemas", value: small, unit: "ms" },
    { name: "the same per schema, 4,000 against 1,000", value: large / 4 / small, unit: "ratio" },
    { name: "catalog of 4,000 tools", value: catalog, unit: "ms" },
    { name: "check one call's arguments", value: checks, unit: "µs" },
  ];
}
