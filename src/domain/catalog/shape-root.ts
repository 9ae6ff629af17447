import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { SchemaReason } from "./adapt-reason.ts";
import type { JsonObject } from "../json-value.ts";
import { mergeInto } from "./merge-shapes.ts";
import type { SchemaRefusal } from "./narrow-schema.ts";
import type { JsonType, Shape } from "./shape.ts";
import { writeShape } from "./write-shape.ts";

/** Reports a repair at the root, or at one of its keywords. */
export type RootNote = (reason: SchemaReason, keyword?: string) => void;

const OBJECT: ReadonlySet<JsonType> = new Set(["object"]);

/**
 * Makes an object schema without root combinators of what was read (K4): model APIs refuse the whole request
 * over one tool with `anyOf` at the root. Refuses what no object can satisfy.
 */
export function shapeRoot(shape: Shape, document: JsonObject, note: RootNote): Outcome<Shape, SchemaRefusal> {
  if (shape.never === true) return refuse({ reason: "accepts-nothing" });
  if (shape.types !== undefined && !shape.types.has("object")) return refuse({ reason: "root-not-object" });
  const flat = shape.anyOf === undefined ? shape : withoutAlternatives(shape, shape.anyOf);
  if (flat === undefined) return refuse({ reason: "root-not-object" });
  if (shape.anyOf !== undefined) {
    note(
      "root-combinator",
      ["anyOf", "oneOf"].find((keyword) => Object.hasOwn(document, keyword)),
    );
  }
  if (shape.types === undefined) {
    if (Object.hasOwn(document, "type") && !isObjectLike(flat)) return refuse({ reason: "root-not-object" });
    note("root-type-missing", "type");
  } else if (shape.types.size > 1) {
    note("root-type-union", "type");
  }
  const { enum: values, ...rest } = flat;
  if (values !== undefined) note("root-enum", "enum");
  return accept({ ...rest, types: OBJECT, properties: flat.properties ?? new Map() });
}

function isObjectLike(shape: Shape): boolean {
  return shape.properties !== undefined || shape.required !== undefined || shape.additional !== undefined;
}

/** Folds the alternatives into one object; `undefined` when none of them can be an object. */
function withoutAlternatives(shape: Shape, alternatives: readonly Shape[]): Shape | undefined {
  const branches = alternatives
    .filter((branch) => branch.types === undefined || branch.types.has("object"))
    .map((branch) => (branch.anyOf === undefined ? branch : withoutAlternatives(branch, branch.anyOf)))
    .filter((branch) => branch !== undefined);
  if (branches.length === 0) return undefined;
  const { anyOf: _, ...root } = shape;
  const flat: Shape = { ...root, properties: new Map(shape.properties) };
  mergeInto(flat, unionOf(branches), () => undefined);
  return flat;
}

/**
 * One object that accepts what any branch accepts. A property that some branch leaves open may hold anything
 * there, so its union ends in `{}`: the model still sees what it usually is.
 */
function unionOf(branches: readonly Shape[]): Shape {
  const open = branches.filter((branch) => branch.additional !== false).length;
  const versions = new Map<string, { shapes: Map<string, Shape>; open: number }>();
  const requiredBy = new Map<string, number>();
  for (const branch of branches) {
    for (const [key, shape] of branch.properties ?? []) {
      const entry = versions.get(key) ?? { shapes: new Map<string, Shape>(), open: 0 };
      versions.set(key, entry);
      entry.shapes.set(JSON.stringify(writeShape(shape)), shape);
      if (branch.additional !== false) entry.open += 1;
    }
    for (const key of branch.required ?? []) requiredBy.set(key, (requiredBy.get(key) ?? 0) + 1);
  }
  const properties = new Map<string, Shape>();
  for (const [key, entry] of versions) {
    if (entry.open < open) entry.shapes.set("{}", {});
    const [first, second] = entry.shapes.values();
    if (first === undefined) continue;
    properties.set(key, second === undefined ? first : { anyOf: [...entry.shapes.values()] });
  }
  const required = [...requiredBy].filter(([, count]) => count === branches.length).map(([key]) => key);
  return { properties, required: new Set(required), ...(open === 0 ? { additional: false } : {}) };
}
