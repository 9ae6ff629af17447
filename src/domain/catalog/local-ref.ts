import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";

/**
 * Finds what a `$ref` points to, inside the document only (K4). Nothing is ever fetched: a reference to
 * anywhere else is `remote`.
 */
export type RefTarget =
  | { readonly found: "local"; readonly schema: unknown; readonly path: SchemaPath; readonly base: Resource }
  | { readonly found: "remote" }
  | { readonly found: "nothing" };

/** Where a schema stands in its document, the last step first; written out only when reported. */
export type SchemaPath = { readonly parent: SchemaPath; readonly key: string } | undefined;

/** A schema that a fragment is relative to: the document, or a part with its own `$id`. */
export interface Resource {
  readonly schema: JsonObject;
  readonly path: SchemaPath;
  /** Draft-04 spells `$id` as `id`; later drafts do not know that keyword. */
  readonly idKeyword: "id" | "$id";
}

/** What was found in each resource before. One a document. */
export interface RefCache {
  readonly targets: Map<object, Map<string, RefTarget>>;
  readonly anchors: AnchorCache;
}

type AnchorCache = Map<object, ReadonlyMap<string, RefTarget | undefined>>;

const REF_LIMIT = 1024;
const ANCHOR_SEARCH_LIMIT = 50_000;
const DATA_KEYWORDS = new Set(["enum", "const", "default", "examples"]);

export function findTarget(ref: string, base: Resource, cache: RefCache): RefTarget {
  const known = cache.targets.get(base.schema)?.get(ref);
  if (known !== undefined) return known;
  const target = lookUp(ref, base, cache.anchors);
  const targets = cache.targets.get(base.schema) ?? new Map<string, RefTarget>();
  cache.targets.set(base.schema, targets.set(ref, target));
  return target;
}

function lookUp(ref: string, base: Resource, anchors: AnchorCache): RefTarget {
  const fragment = fragmentOf(ref, base);
  if (fragment === undefined) return { found: "remote" };
  if (ref.length > REF_LIMIT) return { found: "nothing" };
  const name = decodeFragment(fragment);
  if (name === undefined) return { found: "nothing" };
  if (name === "") return { found: "local", schema: base.schema, path: base.path, base };
  if (name.startsWith("/")) return followPointer(name, base);
  /* An anchor that is there twice names nothing: picking one of two could enforce the wrong schema. */
  return anchorsOf(base, anchors).get(name) ?? { found: "nothing" };
}

/** The resource that `schema` opens for the references in and below it, if it has an identifier of its own. */
export function resourceOf(schema: JsonObject, path: SchemaPath, current: Resource): Resource {
  const { idKeyword } = current;
  return identifierOf(schema, idKeyword) === undefined ? current : { schema, path, idKeyword };
}

function identifierOf(schema: JsonObject, idKeyword: "id" | "$id"): string | undefined {
  const id = own(schema, idKeyword);
  return typeof id === "string" && !id.startsWith("#") ? id : undefined;
}

function fragmentOf(ref: string, base: Resource): string | undefined {
  if (ref.startsWith("#")) return ref.slice(1);
  const id = identifierOf(base.schema, base.idKeyword)?.replace(/#$/, "");
  if (id === undefined || id === "" || !ref.startsWith(id)) return undefined;
  const rest = ref.slice(id.length);
  if (rest === "") return "";
  return rest.startsWith("#") ? rest.slice(1) : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function followPointer(pointer: string, start: Resource): RefTarget {
  let schema: unknown = start.schema;
  let path = start.path;
  let base = start;
  for (const step of pointer.slice(1).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(schema)) {
      if (!/^(?:0|[1-9]\d{0,6})$/.test(key) || Number(key) >= schema.length) return { found: "nothing" };
      schema = schema[Number(key)];
    } else if (isJsonObject(schema) && Object.hasOwn(schema, key)) {
      schema = schema[key];
    } else {
      return { found: "nothing" };
    }
    path = { parent: path, key };
    if (isJsonObject(schema)) base = resourceOf(schema, path, base);
  }
  return { found: "local", schema, path, base };
}

/* Built once a resource: looking for every anchor anew would be quadratic. `undefined`: there twice. */
function anchorsOf(base: Resource, cache: AnchorCache): ReadonlyMap<string, RefTarget | undefined> {
  const known = cache.get(base.schema);
  if (known !== undefined) return known;
  const anchors = new Map<string, RefTarget | undefined>();
  cache.set(base.schema, anchors);
  const pending: { value: unknown; path: SchemaPath }[] = [{ value: base.schema, path: base.path }];
  let visited = 0;
  for (let next = pending.pop(); next !== undefined && visited < ANCHOR_SEARCH_LIMIT; next = pending.pop()) {
    visited += 1;
    const { value, path } = next;
    if (typeof value !== "object" || value === null) continue;
    if (isJsonObject(value)) {
      if (value !== base.schema && identifierOf(value, base.idKeyword) !== undefined) continue;
      const name = anchorNameOf(value);
      const target: RefTarget = { found: "local", schema: value, path, base };
      if (name !== undefined) anchors.set(name, anchors.has(name) ? undefined : target);
    }
    for (const [key, child] of Object.entries(value)) {
      if (!DATA_KEYWORDS.has(key)) pending.push({ value: child, path: { parent: path, key } });
    }
  }
  return anchors;
}

function anchorNameOf(schema: JsonObject): string | undefined {
  const anchor = own(schema, "$anchor");
  if (typeof anchor === "string") return anchor;
  const id = own(schema, "$id") ?? own(schema, "id");
  return typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined;
}
