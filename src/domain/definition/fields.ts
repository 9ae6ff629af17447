import type { JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { DefinitionProblem, DefinitionProblemReason } from "./problem.ts";

export type Read<Value> = Outcome<Value, DefinitionProblem>;

/** Present, whatever it holds: an explicit `null` is a wrong value, not an absent one. */
export function hasField(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}

export function problem(
  reason: DefinitionProblemReason,
  path: string,
  expected: string,
): { readonly ok: false; readonly refusal: DefinitionProblem } {
  return refuse({ kind: "definition", reason, path, expected });
}

export interface TextRule {
  readonly path: string;
  readonly expected: string;
  /** UTF-16 units. */
  readonly limit: number;
  readonly allowEmpty?: boolean;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Text that can be handed on unchanged: a string, within its limit, no NUL, no unpaired surrogate. */
export function readText(value: unknown, rule: TextRule): Read<string> {
  if (typeof value !== "string") return problem("invalid-type", rule.path, rule.expected);
  if (rule.allowEmpty !== true && value.trim() === "") {
    return problem("invalid-value", rule.path, rule.expected);
  }
  return checkText(value, rule);
}

/** The part of {@link readText} that also holds for a text after expansion. */
export function checkText(text: string, rule: TextRule): Read<string> {
  if (text.length > rule.limit) {
    return problem("too-long", rule.path, `at most ${rule.limit} characters after expansion`);
  }
  if (text.includes("\0")) return problem("invalid-value", rule.path, "text without a NUL character");
  if (LONE_SURROGATE.test(text)) {
    return problem("invalid-value", rule.path, "text without unpaired surrogates");
  }
  return accept(text);
}

/** Text in which no template is allowed (D6, D8). */
export function readPlainText(value: unknown, rule: TextRule): Read<string> {
  const read = readText(value, rule);
  if (read.ok && read.value.includes("${")) {
    return problem("template-not-allowed", rule.path, "a plain value without `${…}`");
  }
  return read;
}

export interface ListRule {
  readonly path: string;
  readonly expected: string;
  readonly maxItems: number;
  readonly itemLimit: number;
  readonly itemExpected: string;
  readonly allowEmptyItem: boolean;
}

/** A list of texts; absent is the empty list. */
export function readTextList(value: unknown, rule: ListRule): Read<readonly string[]> {
  if (value === undefined) return accept([]);
  if (!Array.isArray(value)) return problem("invalid-type", rule.path, rule.expected);
  if (value.length > rule.maxItems) {
    return problem("too-many", rule.path, `at most ${rule.maxItems} items`);
  }
  const items: string[] = [];
  for (const [index, item] of value.entries()) {
    const read = readText(item, {
      path: `${rule.path}[${index}]`,
      expected: rule.itemExpected,
      limit: rule.itemLimit,
      allowEmpty: rule.allowEmptyItem,
    });
    if (!read.ok) return read;
    items.push(read.value);
  }
  return accept(items);
}

export function readBoolean(value: unknown, path: string): Read<boolean | undefined> {
  if (value === undefined || typeof value === "boolean") return accept(value);
  return problem("invalid-type", path, "true or false");
}

export interface IntegerRule {
  readonly path: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

export function readInteger(value: unknown, rule: IntegerRule): Read<number | undefined> {
  if (value === undefined) return accept(undefined);
  const expected = `a whole number of ${rule.unit} from ${rule.min} to ${rule.max}`;
  if (typeof value !== "number") return problem("invalid-type", rule.path, expected);
  if (value < rule.min || value > rule.max) return problem("out-of-range", rule.path, expected);
  if (!Number.isInteger(value)) return problem("invalid-value", rule.path, expected);
  return accept(value);
}

/** Refuses the first key that is not in `known`: for objects in which a misspelt key would widen authority. */
export function checkOnlyKeys(object: JsonObject, known: readonly string[], path: string): Read<undefined> {
  if (Object.keys(object).every((key) => known.includes(key))) return accept(undefined);
  return problem("invalid-value", path, `only ${known.map((key) => `\`${key}\``).join(", ")}`);
}
