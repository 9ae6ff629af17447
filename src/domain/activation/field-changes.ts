import type { CoveredField } from "../definition/covered-field.ts";

/** How one covered field differs from what was approved. `before`/`after` are the projected forms. */
export interface FieldChange {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly before?: string;
  readonly after?: string;
}

/** Compares what an approval covered with what the definition says now, in the order of the fields of now. */
export function fieldChanges(
  approved: readonly CoveredField[],
  current: readonly CoveredField[],
): readonly FieldChange[] {
  const before = new Map(approved.map((field) => [field.path, field]));
  const after = new Set(current.map((field) => field.path));
  const changes: FieldChange[] = [];
  for (const field of current) {
    const old = before.get(field.path);
    if (old === undefined) changes.push({ path: field.path, change: "added", after: field.shown });
    else if (old.digest !== field.digest) {
      changes.push({ path: field.path, change: "changed", before: old.shown, after: field.shown });
    }
  }
  for (const field of approved) {
    if (!after.has(field.path)) changes.push({ path: field.path, change: "removed", before: field.shown });
  }
  return changes;
}
