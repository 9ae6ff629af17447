import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { QuarantineReason } from "./adapt-reason.ts";
import type { AdaptReason } from "./catalog.ts";
import { dialectOf } from "./dialect.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { NARROW_LIMITS, report } from "./reading.ts";
import type { NarrowLimits, Reading } from "./reading.ts";
import { readSchema } from "./read-schema.ts";
import { shapeRoot } from "./shape-root.ts";
import type { Shape } from "./shape.ts";
import { writeShape } from "./write-shape.ts";
import type { WrittenSchema } from "./write-shape.ts";

export interface NarrowedSchema {
  /** JSON Schema of the universal subset, without references; JSON-serialisable. */
  readonly schema: WrittenSchema;
  /** What was repaired or given up, each reason once a place, at most 101. */
  readonly reasons: readonly AdaptReason[];
}

export interface SchemaRefusal {
  readonly reason: QuarantineReason;
}

export interface NarrowOptions {
  readonly limits?: Partial<NarrowLimits>;
}

const EXPANSION_FLOOR = 256;
const COUNT_LIMIT = 20_000;

/**
 * Narrows a server's `inputSchema` to what every model API takes (K4).
 *
 * The result accepts every object that the server's schema accepts: what the subset cannot say is replaced
 * by less, never by more, and reported by its place. Its root is `type: "object"` with `properties`.
 * Refuses an unknown dialect and a schema that gives no object type. Pure, linear in the schema's size.
 */
export function narrowSchema(
  raw: unknown,
  options: NarrowOptions = {},
): Outcome<NarrowedSchema, SchemaRefusal> {
  if (raw === undefined || raw === null) return accept(emptyObject("schema-missing"));
  if (Array.isArray(raw) && raw.length === 0) return accept(emptyObject("schema-empty-array"));
  if (raw === true) return accept(emptyObject("boolean-schema"));
  if (raw === false) return refuse({ reason: "accepts-nothing" });
  const read = readDocument(raw, options);
  if (!read.ok) return read;
  const { document, shape, reading } = read.value;
  const root = shapeRoot(shape, document, (reason, keyword) => {
    report(reading, reason, keyword === undefined ? undefined : { parent: undefined, key: keyword });
  });
  if (!root.ok) return root;
  return accept({ schema: writeShape(root.value), reasons: reading.reasons });
}

/** Narrows an `outputSchema` the same way, whatever type its root has (K8). */
export function narrowOutputSchema(
  raw: unknown,
  options: NarrowOptions = {},
): Outcome<NarrowedSchema, SchemaRefusal> {
  const read = readDocument(raw, options);
  if (!read.ok) return read;
  if (read.value.shape.never === true) return refuse({ reason: "accepts-nothing" });
  return accept({ schema: writeShape(read.value.shape), reasons: read.value.reading.reasons });
}

function emptyObject(reason: "schema-missing" | "schema-empty-array" | "boolean-schema"): NarrowedSchema {
  return { schema: { type: "object", properties: {} }, reasons: [{ reason, path: "" }] };
}

interface ReadDocument {
  readonly document: JsonObject;
  readonly shape: Shape;
  readonly reading: Reading;
}

function readDocument(raw: unknown, options: NarrowOptions): Outcome<ReadDocument, SchemaRefusal> {
  if (!isJsonObject(raw)) return refuse({ reason: "schema-not-object" });
  const dialect = dialectOf(own(raw, "$schema"));
  if (dialect === undefined) return refuse({ reason: "dialect-unknown" });
  const limits = { ...NARROW_LIMITS, ...options.limits };
  const reading: Reading = {
    dialect,
    limits,
    refs: { targets: new Map(), anchors: new Map() },
    active: new Map(),
    nodesLeft: limits.nodes,
    expansionLeft: limits.expansion ?? EXPANSION_FLOOR + countValues(raw, COUNT_LIMIT),
    exhausted: new Set(),
    quarantine: undefined,
    reasons: [],
    seen: new Set(),
  };
  const idKeyword = dialect.draft === 4 ? "id" : "$id";
  const base = { schema: raw, path: undefined, idKeyword } as const;
  const shape = readSchema(raw, { path: undefined, base, depth: 0, level: 0, expanded: false }, reading);
  if (reading.quarantine !== undefined) return refuse({ reason: reading.quarantine });
  return accept({ document: raw, shape, reading });
}

/* The document's own size sets the price of following references; counting stops at `limit`. */
function countValues(raw: unknown, limit: number): number {
  const pending: unknown[] = [raw];
  let count = 0;
  for (; pending.length > 0 && count < limit; count += 1) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const child of Object.values(value)) {
      if (pending.length >= limit) break;
      pending.push(child);
    }
  }
  return count;
}
