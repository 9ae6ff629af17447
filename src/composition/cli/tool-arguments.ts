import { isJsonObject, own } from "../../domain/json-value.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { UsageProblem } from "./usage-problem.ts";

/** `KEY=VALUE`, as it was written. */
export interface WrittenArgument {
  readonly key: string;
  readonly text: string;
}

/** Splits each `--arg` at its first `=`. Refuses one without a key, and a key that stands there twice. */
export function splitArguments(
  written: readonly string[],
): Outcome<readonly WrittenArgument[], UsageProblem> {
  const split: WrittenArgument[] = [];
  for (const one of written) {
    const seam = one.indexOf("=");
    if (seam < 1) return refuse("--arg takes KEY=VALUE");
    const key = one.slice(0, seam);
    if (split.some((other) => other.key === key)) return refuse("an argument stands there twice");
    split.push({ key, text: one.slice(seam + 1) });
  }
  return accept(split);
}

/** Reads the JSON of the command line or of standard input. What is wrong with it is told without quoting it. */
export function parseArguments(text: string): Outcome<unknown, UsageProblem> {
  try {
    return accept(JSON.parse(text));
  } catch {
    return refuse("the arguments of the tool are not valid JSON; one at a time they are --arg KEY=VALUE");
  }
}

/**
 * Joins the JSON and the single arguments. A value is what JSON reads in it (`3`, `true`, `[1]`), or else the
 * text itself; where the tool's schema asks for a string it is always the text itself.
 */
export function joinArguments(
  base: unknown,
  written: readonly WrittenArgument[],
  schema: JsonObject | undefined,
): Outcome<unknown, UsageProblem> {
  if (written.length === 0) return accept(base);
  if (!isJsonObject(base)) return refuse("--arg goes with a JSON object only");
  if (written.some(({ key }) => Object.hasOwn(base, key))) {
    return refuse("an argument stands there twice, in the JSON and as --arg");
  }
  const values = written.map(({ key, text }) => [key, valueOf(text, wantsString(schema, key))] as const);
  // `fromEntries` defines own properties: a key `__proto__` is a key like any other.
  return accept(Object.fromEntries([...Object.entries(base), ...values]));
}

function wantsString(schema: JsonObject | undefined, key: string): boolean {
  const properties = schema === undefined ? undefined : own(schema, "properties");
  const property = isJsonObject(properties) ? own(properties, key) : undefined;
  return isJsonObject(property) && own(property, "type") === "string";
}

function valueOf(text: string, asText: boolean): unknown {
  if (asText) return text;
  const parsed = parseArguments(text);
  return parsed.ok ? parsed.value : text;
}
