import { cleanText, cutText } from "../catalog/untrusted-text.ts";

/** UTF-16 units of one line that are shown. */
export const STDERR_LINE_LIMIT = 4_096;

export interface StderrLine {
  readonly text: string;
  /** The server wrote more than this. */
  readonly isCut: boolean;
}

/**
 * Makes one line of a server's stderr fit to be shown: nothing invisible, no secret of the launch, bounded.
 *
 * Cleaned before it is masked, so that a zero-width character inside a secret does not carry it through; cut
 * last, so that no secret is halved before it is looked for.
 *
 * @param isPartial the line's end is missing: what could be the first half of a secret there goes as well
 * @param secrets longest first
 */
export function showStderrLine(
  line: string,
  { secrets, isPartial }: { readonly secrets: readonly string[]; readonly isPartial: boolean },
): StderrLine {
  let text = cleanText(line, line.length).text;
  for (const secret of secrets) text = text.replaceAll(secret, "[secret]");
  if (isPartial) text = text.slice(0, Math.max(0, text.length - (secrets[0]?.length ?? 0)));
  const shown = cutText(text, STDERR_LINE_LIMIT);
  return { text: shown, isCut: isPartial || shown.length < text.length };
}
