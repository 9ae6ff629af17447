import { cleanText, cutText } from "../catalog/untrusted-text.ts";
import { createSecretMask } from "../definition/known-secrets.ts";
import { maskCredentials } from "../definition/mask.ts";

/** UTF-16 units of one line that are shown. */
export const STDERR_LINE_LIMIT = 4_096;

/** A secret may stand there JSON-escaped, six units for one (see `createSecretMask`). */
const LONGEST_FORM = 6;

export interface StderrLine {
  readonly text: string;
  /** The server wrote more than this. */
  readonly isCut: boolean;
}

export interface StderrLines {
  /** UTF-16 units that have to be kept of a line, so that a secret in the shown part is seen whole. */
  readonly keptUnits: number;
  /** @param isPartial the line's end is missing: what could be the first half of a secret there goes as well */
  show(line: string, isPartial: boolean): StderrLine;
}

/**
 * Makes lines of a server's stderr fit to be shown: without terminal sequences and invisible characters,
 * without the secrets of the launch and whatever has the format of one, bounded.
 *
 * Cleaned before it is masked, so that a colour change inside a secret does not carry it through; cut last,
 * so that no secret is halved before it is looked for.
 */
export function createStderrLines(secrets: readonly string[]): StderrLines {
  const mask = createSecretMask(secrets);
  const longest = secrets.reduce((most, { length }) => Math.max(most, length), 0) * LONGEST_FORM;
  return {
    keptUnits: STDERR_LINE_LIMIT + longest,
    show: (line, isPartial) => {
      const clean = cleanText(line.replace(TERMINAL_SEQUENCE, ""), line.length).text;
      const masked = maskCredentials(mask(clean));
      const whole = isPartial ? masked.slice(0, Math.max(0, masked.length - longest)) : masked;
      const text = cutText(whole, STDERR_LINE_LIMIT);
      return { text, isCut: isPartial || text.length < whole.length };
    },
  };
}

/** ECMA-48 control sequences (colours, cursor) and operating system commands (titles, links). */
const TERMINAL_SEQUENCE = new RegExp(
  String.raw`\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,1024}(?:\u0007|\u001b\\))`,
  "g",
);
