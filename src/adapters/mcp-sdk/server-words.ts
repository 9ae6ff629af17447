import { cutText } from "../../domain/catalog/untrusted-text.ts";
import { createStderrLines, type StderrLines } from "../../domain/launch/stderr-line.ts";

/** Characters of a server's own words that are kept. */
const WORDS_LIMIT = 1_024;

/** Makes what a server said about itself fit to be kept: cleaned, masked, cut. */
export type ServerWords = (text: string) => string;

/**
 * A server may say back what it was sent, so its words get the treatment of its stderr: cleaned, then the
 * secrets of its definition masked, cut last (D17).
 */
export function createServerWords(secrets: readonly string[]): ServerWords {
  // Made with the first words: most connections never have any.
  let lines: StderrLines | undefined;
  return (text) => {
    lines ??= createStderrLines(secrets);
    const isPartial = text.length > lines.keptUnits;
    return cutText(lines.show(text.slice(0, lines.keptUnits), isPartial).text, WORDS_LIMIT);
  };
}
