import { own } from "../json-value.ts";
import type { TypedRules } from "./profile-rules.ts";
import type { WrittenSchema } from "./write-shape.ts";

interface Joining {
  /** Title and description of the whole. */
  readonly annotations: { readonly title?: string; readonly description?: string };
  readonly nulls: TypedRules["nulls"];
  /** Hears of an annotation for which there is no room. */
  readonly onLost: (keyword: string) => void;
}

/** Puts alternatives together as the API takes them, or answers `undefined` where none is left. */
export function joinAlternatives(
  branches: readonly WrittenSchema[],
  joining: Joining,
): WrittenSchema | undefined {
  const flat = branches.flatMap((branch) => bareAlternatives(branch) ?? [branch]);
  const [only] = flat;
  if (only === undefined) return undefined;
  if (joining.nulls === "nullable") return joinNullable(flat, joining);
  return flat.length === 1 ? annotate(only, joining) : { ...joining.annotations, anyOf: flat };
}

/* Gemini takes nothing beside `anyOf`, and `null` as a mark and not as a type. */
function joinNullable(branches: readonly WrittenSchema[], joining: Joining): WrittenSchema {
  const [first, ...others] = branches.filter((branch) => branch["type"] !== "null");
  if (first === undefined) return annotate({ type: "null" }, joining);
  const isNullable = others.length + 1 < branches.length;
  const told = annotate(isNullable ? { ...first, nullable: true } : first, joining);
  return others.length === 0 ? told : { anyOf: [told, ...others] };
}

function bareAlternatives(schema: WrittenSchema): readonly WrittenSchema[] | undefined {
  const branches = schema["anyOf"];
  return Array.isArray(branches) && Object.keys(schema).length === 1 ? branches : undefined;
}

/** Says of one schema what was said of the whole; both descriptions are kept. */
function annotate(schema: WrittenSchema, { annotations, onLost }: Joining): WrittenSchema {
  const { title, description } = annotations;
  const inner = schema["description"];
  const told: { [keyword: string]: unknown } = { ...schema };
  if (title !== undefined) {
    if (schema["title"] !== undefined && schema["title"] !== title) onLost("title");
    told["title"] = title;
  }
  if (description !== undefined) {
    const inside =
      typeof inner === "string" && inner !== description
        ? `
${inner}`
        : "";
    told["description"] = `${description}${inside}`;
  }
  return told;
}

/** Lets a value be `null` as well, for an optional property that has to be given. */
export function orNull(schema: WrittenSchema): WrittenSchema {
  const { title, description, ...said } = schema;
  const branches = said["anyOf"];
  const type = said["type"];
  if (mayBeNull(schema)) return schema;
  if (Array.isArray(branches)) return { ...schema, anyOf: [...branches, { type: "null" }] };
  const isPlain = typeof type === "string" && type !== "object" && type !== "array";
  // An enum without null would still forbid it.
  if (isPlain && own(said, "enum") === undefined) return { ...schema, type: [type, "null"] };
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [said, { type: "null" }],
  };
}

function mayBeNull(schema: WrittenSchema): boolean {
  const branches = schema["anyOf"];
  return (
    schema["type"] === "null" ||
    (Array.isArray(branches) && branches.some((branch: WrittenSchema) => branch["type"] === "null"))
  );
}
