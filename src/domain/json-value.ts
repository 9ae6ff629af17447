/** Looking at JSON that somebody else wrote, without recursion: its depth is theirs to choose. */

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property only: `constructor` and `__proto__` are names like any other. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Makes an object out of pairs; a key `__proto__` becomes an ordinary property. */
export function objectFrom(entries: Iterable<readonly [string, unknown]>): { [key: string]: unknown } {
  return Object.fromEntries(entries);
}

export interface JsonSize {
  /** Values of any kind, containers included. */
  readonly values: number;
  /** Nested containers; 0 for a text or a number. */
  readonly depth: number;
  /** UTF-16 units in all texts, property names included. */
  readonly text: number;
}

/**
 * Measures a value, or answers `undefined` when it goes over a bound or holds something that JSON cannot
 * (`undefined`, a function, `NaN`). A cycle is over the depth bound. Linear, not recursive.
 */
export function measureJson(value: unknown, limits: JsonSize): JsonSize | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  let text = 0;
  let deepest = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    values += 1;
    if (!isJsonKind(next.value)) return undefined;
    if (typeof next.value === "string") text += next.value.length;
    if (typeof next.value === "object" && next.value !== null) {
      const depth = next.depth + 1;
      deepest = Math.max(deepest, depth);
      const keys = Array.isArray(next.value) ? [] : Object.keys(next.value);
      const children: readonly unknown[] = Array.isArray(next.value) ? next.value : Object.values(next.value);
      if (depth > limits.depth || values + pending.length + children.length > limits.values) return undefined;
      for (const key of keys) text += key.length;
      for (const child of children) pending.push({ value: child, depth });
    }
    if (values > limits.values || text > limits.text) return undefined;
  }
  return { values, depth: deepest, text };
}

/** Whether something in it would be written by a `toJSON` of its own. For values that were measured. */
export function holdsWriter(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    if ("toJSON" in next && typeof next.toJSON === "function") return true;
    for (const child of Array.isArray(next) ? next : Object.values(next)) pending.push(child);
  }
  return false;
}

function isJsonKind(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || typeof value === "object";
}

/** The value as JSON text, or `undefined` when it is over the bounds (so that writing it cannot overflow). */
export function jsonText(value: unknown, limits: JsonSize): string | undefined {
  return measureJson(value, limits) === undefined ? undefined : JSON.stringify(value);
}
