import { intersectTypes, LIMIT_KEYWORDS } from "./shape.ts";
import type { LimitKeyword, Shape } from "./shape.ts";

/**
 * Merges `other` into `target`, so that it accepts what both accept.
 *
 * Where the subset cannot say "both", the target's own part stays and `giveUp` is called: the result may
 * accept more than both together, never less (the law of K4).
 */
export function mergeInto(target: Shape, other: Shape, giveUp: () => void): void {
  if (other.never === true) target.never = true;
  mergeAnnotations(target, other);
  mergeTypes(target, other, giveUp);
  mergeEnum(target, other, giveUp);
  mergeLimits(target, other, giveUp);
  if (target.pattern === undefined) assign(target, "pattern", other.pattern);
  else if (other.pattern !== undefined && other.pattern !== target.pattern) giveUp();
  if (target.items !== undefined && other.items !== undefined) {
    target.items = merged(target.items, other.items, giveUp);
  } else assign(target, "items", other.items);
  if (target.anyOf === undefined) assign(target, "anyOf", other.anyOf);
  else if (other.anyOf !== undefined) giveUp();
  mergeObject(target, other, giveUp);
}

function merged(a: Shape, b: Shape, giveUp: () => void): Shape {
  const result = copyShape(a);
  mergeInto(result, b, giveUp);
  return result;
}

/** A copy that merging may change; the shapes below are replaced by merging, never changed. */
function copyShape(shape: Shape): Shape {
  return {
    ...shape,
    ...(shape.limits === undefined ? {} : { limits: new Map(shape.limits) }),
    ...(shape.properties === undefined ? {} : { properties: new Map(shape.properties) }),
    ...(shape.required === undefined ? {} : { required: new Set(shape.required) }),
  };
}

function assign<Key extends keyof Shape>(target: Shape, key: Key, value: Shape[Key] | undefined): void {
  if (value !== undefined) target[key] = value;
}

function mergeAnnotations(target: Shape, other: Shape): void {
  for (const key of ["title", "description", "default", "format"] as const) {
    if (target[key] === undefined) assign(target, key, other[key]);
  }
}

function mergeTypes(target: Shape, other: Shape, giveUp: () => void): void {
  if (other.types === undefined) return;
  if (target.types === undefined) {
    target.types = other.types;
    return;
  }
  const common = intersectTypes(target.types, other.types);
  if (common.size === 0) giveUp();
  else target.types = common;
}

function mergeEnum(target: Shape, other: Shape, giveUp: () => void): void {
  if (other.enum === undefined) return;
  if (target.enum === undefined) {
    target.enum = other.enum;
    return;
  }
  /* Equal objects may be spelt differently; losing one would refuse what both accept. */
  const simple = [...target.enum, ...other.enum].every(
    (value) => typeof value !== "object" || value === null,
  );
  const allowed = new Set(other.enum);
  const common = simple ? target.enum.filter((value) => allowed.has(value)) : [];
  if (common.length === 0) giveUp();
  else target.enum = common;
}

function mergeLimits(target: Shape, other: Shape, giveUp: () => void): void {
  for (const [keyword, bound] of other.limits ?? []) {
    const limits = (target.limits ??= new Map());
    const present = limits.get(keyword);
    if (present === undefined) limits.set(keyword, bound);
    else if (present !== bound) limits.set(keyword, tighter(keyword, present, bound, giveUp));
  }
}

function tighter(keyword: LimitKeyword, a: number, b: number, giveUp: () => void): number {
  const direction = LIMIT_KEYWORDS[keyword];
  if (direction === "greater") return Math.max(a, b);
  if (direction === "smaller") return Math.min(a, b);
  giveUp();
  return a;
}

/*
 * `additionalProperties` looks at the properties of its own schema only. With the union of both property
 * lists it covers fewer names than it did, so the merged schema accepts more, not less.
 */
function mergeObject(target: Shape, other: Shape, giveUp: () => void): void {
  for (const [key, shape] of other.properties ?? []) {
    const properties = (target.properties ??= new Map());
    const present = properties.get(key);
    properties.set(key, present === undefined ? shape : merged(present, shape, giveUp));
  }
  for (const key of other.required ?? []) (target.required ??= new Set()).add(key);
  assign(target, "additional", mergeAdditional(target.additional, other.additional, giveUp));
}

function mergeAdditional(
  a: boolean | Shape | undefined,
  b: boolean | Shape | undefined,
  giveUp: () => void,
): boolean | Shape | undefined {
  if (a === undefined || a === true) return b ?? a;
  if (b === undefined || b === true) return a;
  if (a === false || b === false) return false;
  return merged(a, b, giveUp);
}
