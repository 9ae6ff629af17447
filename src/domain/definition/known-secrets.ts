import { materialOf, type MaterialisedText, type ServerDefinition } from "./definition.ts";
import { REDACTED } from "./mask.ts";

/** Shorter values occur by chance in ordinary text: masking them would make it unreadable and hide nothing. */
export const SHORTEST_MASKED_SECRET = 8;

/** The values that variables and credential-shaped keys brought into a definition. Never print the result. */
export function secretsOf(definition: ServerDefinition): readonly string[] {
  const material = materialOf(definition);
  const texts: MaterialisedText[] =
    material.transport === "stdio"
      ? [material.command, ...material.args, ...material.env.values()]
      : [material.url, ...material.headers.values(), ...material.env.values()];
  if (material.transport === "stdio" && material.cwd !== undefined) texts.push(material.cwd);
  const secrets = texts.flatMap(({ text, stretches }) =>
    stretches.filter(({ secret }) => secret).map(({ start, end }) => text.slice(start, end)),
  );
  return [...new Set(secrets)];
}

/**
 * Makes a function that replaces every occurrence of the secrets in a text, as they are, percent-encoded
 * and JSON-escaped, and each word of them (`Bearer x` gives `x`); forms under 8 characters are left.
 * Overlapping occurrences are replaced together. Linear in the text for each form, on any input.
 */
export function createSecretMask(secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const word of [secret, ...secret.split(/\s+/)]) {
      for (const form of [word, encodeForUrl(word), JSON.stringify(word).slice(1, -1)]) {
        if (form.length >= SHORTEST_MASKED_SECRET) forms.add(form);
      }
    }
  }
  const finders = [...forms].map((form) => createFinder(form));
  return (text) =>
    replaceRanges(
      text,
      finders.flatMap((find) => find(text)),
    );
}

function encodeForUrl(text: string): string {
  // `encodeURIComponent` throws on an unpaired surrogate; in a URL it would have become this character.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Knuth, Morris and Pratt: every occurrence, overlapping ones too, without ever going back in the text. */
function createFinder(pattern: string): (text: string) => readonly Range[] {
  const fallbacks = fallbacksOf(pattern);
  return (text) => {
    const found: Range[] = [];
    let matched = 0;
    for (let index = 0; index < text.length; index += 1) {
      while (matched > 0 && text[index] !== pattern[matched]) matched = fallbacks[matched - 1] ?? 0;
      if (text[index] === pattern[matched]) matched += 1;
      if (matched === pattern.length) {
        found.push({ start: index + 1 - pattern.length, end: index + 1 });
        matched = fallbacks[matched - 1] ?? 0;
      }
    }
    return found;
  };
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function fallbacksOf(pattern: string): readonly number[] {
  const fallbacks: number[] = [0];
  let matched = 0;
  for (let index = 1; index < pattern.length; index += 1) {
    while (matched > 0 && pattern[index] !== pattern[matched]) matched = fallbacks[matched - 1] ?? 0;
    if (pattern[index] === pattern[matched]) matched += 1;
    fallbacks.push(matched);
  }
  return fallbacks;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let masked = "";
  let open = 0;
  let covered = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start >= covered) masked += text.slice(open, start) + REDACTED;
    covered = Math.max(covered, end);
    open = covered;
  }
  return masked + text.slice(open);
}
