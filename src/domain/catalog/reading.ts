import type { AdaptReason } from "./catalog.ts";
import type { ItemReason, QuarantineReason, SchemaReason } from "./adapt-reason.ts";
import type { Dialect } from "./dialect.ts";
import type { RefCache, Resource, SchemaPath } from "./local-ref.ts";
import { cleanText } from "./untrusted-text.ts";

/** Bounds of one narrowing (K4). Every one of them loosens the schema where it is met, and says so. */
export interface NarrowLimits {
  /** Nested schemas, references included. Default 64. */
  readonly depth: number;
  /** Schemas of the document itself. Default 10,000. */
  readonly nodes: number;
  /** Schemas made by following references. Default: 256 and as many as the document has values. */
  readonly expansion: number | undefined;
  /** Values of one `enum`, and of a `default`. Default 1,000. */
  readonly enumValues: number;
}

export const NARROW_LIMITS: NarrowLimits = {
  depth: 64,
  nodes: 10_000,
  expansion: undefined,
  enumValues: 1000,
};

const REASON_LIMIT = 100;
const PATH_LIMIT = 512;

/** What one reading of a schema keeps track of. */
export interface Reading {
  readonly dialect: Dialect;
  readonly limits: NarrowLimits;
  readonly refs: RefCache;
  /** Every schema that is being read, with how deep in the instance it stands. */
  readonly active: Map<object, number>;
  nodesLeft: number;
  expansionLeft: number;
  /** Budgets that have been found empty. */
  readonly exhausted: Set<"expansion-limit" | "node-limit">;
  /** Set once: the whole schema is given up. */
  quarantine: QuarantineReason | undefined;
  readonly reasons: AdaptReason[];
  readonly seen: Set<string>;
}

export type ReadingReason = SchemaReason | Extract<ItemReason, "text-cleaned" | "text-cut">;

/** Reports a reason at a keyword of the schema that is being read. */
export type Note = (reason: ReadingReason, keyword: string) => void;

/** Where a schema is read: its place in the document, and what it is applied to. */
export interface Place {
  readonly path: SchemaPath;
  readonly base: Resource;
  /** Schemas around it, references and combinators included. */
  readonly depth: number;
  /** How deep in the instance it stands: equal for everything that looks at the same value. */
  readonly level: number;
  /** Whether a reference led here: then it is charged to the expansion budget. */
  readonly expanded: boolean;
}

/** A place for a part of the same value (`anyOf/0`), or with `deeper` for a part of a value inside it. */
export function placeBelow(place: Place, keys: readonly string[], part: "same" | "deeper"): Place {
  let { path } = place;
  for (const key of keys) path = { parent: path, key };
  return { ...place, path, depth: place.depth + 1, level: place.level + (part === "deeper" ? 1 : 0) };
}

/** Pays for what a reference repeats besides schemas. */
export function chargeExpansion(reading: Reading, units: number): void {
  reading.expansionLeft -= units;
}

export function report(reading: Reading, reason: ReadingReason, path: SchemaPath): void {
  if (reading.reasons.length > REASON_LIMIT) return;
  const pointer = pointerText(path);
  const key = `${reason} ${pointer}`;
  if (reading.seen.has(key)) return;
  reading.seen.add(key);
  reading.reasons.push(
    reading.reasons.length === REASON_LIMIT ? { reason: "more-reasons" } : { reason, path: pointer },
  );
}

/** The path as a JSON Pointer, cleaned and cut: its keys are the server's. */
export function pointerText(path: SchemaPath): string {
  const steps: string[] = [];
  for (let step = path; step !== undefined; step = step.parent) {
    steps.push(cleanText(step.key, PATH_LIMIT).text.replaceAll("~", "~0").replaceAll("/", "~1"));
  }
  return cleanText(
    steps
      .toReversed()
      .map((step) => `/${step}`)
      .join(""),
    PATH_LIMIT,
  ).text;
}
