import type { ToolFilter } from "../definition/definition.ts";

/**
 * Decides whether the definition's `tools` lists let a tool through (D5): `deny` wins, and without an
 * `allow` list everything else passes. Globs match the server's own name: `*` any run, `?` one character.
 */
export function passesFilter(filter: ToolFilter, sourceName: string): boolean {
  if (filter.deny.some((glob) => matchesGlob(glob, sourceName))) return false;
  return filter.allow === undefined || filter.allow.some((glob) => matchesGlob(glob, sourceName));
}

/**
 * Matches a whole text against a glob, by characters. Only the latest `*` is ever retried, so the work is
 * at most the product of the two lengths, and no pattern engine sees either text.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const pattern = Array.from(glob);
  const characters = Array.from(text);
  let at = 0;
  let position = 0;
  let star = -1;
  let retry = 0;
  while (position < characters.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      retry = position;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === characters[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      position = retry;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
