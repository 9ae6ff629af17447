import { writeJson } from "../catalog/json-text.ts";
import { cleanText, TEXT_LIMIT, type TextChange } from "../catalog/untrusted-text.ts";
import { escapeForDisplay } from "../display-text.ts";
import { isJsonObject, measureJson, objectFrom, own, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { SkillEntryReason } from "./refusal.ts";

/** A frontmatter is a label for a registry, not a document: far above any that is known. */
const FRONTMATTER_LIMITS = { values: 1_024, depth: 16, text: 16_384 };
/** Agent Skills specification, frontmatter: lengths in characters. */
const NAME_LIMIT = 64;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const DESCRIPTION_LIMIT = 1_024;
const COMPATIBILITY_LIMIT = 500;

export interface Frontmatter {
  readonly name: string;
  readonly raw: JsonObject;
  readonly description: string;
  readonly shown: JsonObject;
  readonly changes: readonly TextChange[];
}

/** Admits an entry's frontmatter by the rules of the Agent Skills specification; unknown keys are kept. */
export function decodeFrontmatter(
  raw: unknown,
): Outcome<Frontmatter, Extract<SkillEntryReason, "frontmatter-malformed" | "frontmatter-too-large">> {
  if (!isJsonObject(raw)) return refuse("frontmatter-malformed");
  if (measureJson(raw, FRONTMATTER_LIMITS) === undefined) return refuse("frontmatter-too-large");
  const name = own(raw, "name");
  const description = own(raw, "description");
  if (typeof name !== "string" || name.length > NAME_LIMIT || !NAME.test(name)) {
    return refuse("frontmatter-malformed");
  }
  if (
    typeof description !== "string" ||
    !isWithin(description, DESCRIPTION_LIMIT) ||
    !areOptionalsGood(raw)
  ) {
    return refuse("frontmatter-malformed");
  }
  const changes = new Set<TextChange>();
  const shown = objectFrom(shownEntries(raw, changes));
  const cleaned = cleanText(description, TEXT_LIMIT).text;
  freeze(raw);
  freeze(shown);
  return accept({ name, raw, description: cleaned, shown, changes: [...changes] });
}

/** What consent was given to, and a SKILL.md is compared with, must not change afterwards. Bounded in depth before. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) freeze(item);
  Object.freeze(value);
}

function areOptionalsGood(raw: JsonObject): boolean {
  const compatibility = own(raw, "compatibility");
  const metadata = own(raw, "metadata");
  const isCompatible =
    compatibility === undefined ||
    (typeof compatibility === "string" && isWithin(compatibility, COMPATIBILITY_LIMIT));
  const isMap =
    metadata === undefined ||
    (isJsonObject(metadata) && Object.values(metadata).every((value) => typeof value === "string"));
  return isCompatible && isMap;
}

/** From one to `limit` characters, where two halves of a surrogate pair are one. */
function isWithin(text: string, limit: number): boolean {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters >= 1 && characters <= limit;
}

/** Keys are escaped and not cleaned: two that differ stay two. The depth was bounded before. */
function shownEntries(object: JsonObject, changes: Set<TextChange>): readonly (readonly [string, unknown])[] {
  return Object.entries(object).map(([key, value]) => [escapeForDisplay(key), shownValue(value, changes)]);
}

function shownValue(value: unknown, changes: Set<TextChange>): unknown {
  if (typeof value === "string") {
    const { text, changed } = cleanText(value, TEXT_LIMIT);
    for (const change of changed) changes.add(change);
    return text;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => shownValue(item, changes));
  return isJsonObject(value) ? objectFrom(shownEntries(value, changes)) : value;
}

/** Field by field, whatever the order of keys (SEP-2640, Frontmatter Verification). */
export function isSameFrontmatter(one: JsonObject, other: JsonObject): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: JsonObject): string {
  return writeJson(value, { keys: "sorted", layout: "compact" });
}

/* Bounded, so that a file without an end of its frontmatter costs no more than the bound. */
const HEAD = /^\uFEFF?---\r?\n[\s\S]{0,65536}?\n---[\t ]*(?:\r?\n|$)/;

/** The beginning of a SKILL.md up to the end of its frontmatter; `undefined` where there is none of a sensible size. */
export function frontmatterHead(skillMd: string): string | undefined {
  return HEAD.exec(skillMd)?.[0];
}
