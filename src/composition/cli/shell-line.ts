import type { CommandLine } from "./arguments.ts";

/** A command that can be pasted into a POSIX shell, whatever its words are made of. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** The command that fixes something, with the places that the person gave. */
export function fixLine(line: CommandLine, words: readonly string[]): string {
  return shellLine([
    "sallyport",
    ...(line.workspace === undefined ? [] : [`--workspace=${line.workspace}`]),
    ...(line.home === undefined ? [] : [`--home=${line.home}`]),
    ...line.config.map((place) => `--config=${place}`),
    ...words,
  ]);
}

/** An operand that begins with a dash has to stand behind `--`, at the end. */
export function withOperand(
  words: readonly string[],
  flags: readonly string[],
  operand: string,
): readonly string[] {
  return operand.startsWith("-") ? [...words, ...flags, "--", operand] : [...words, operand, ...flags];
}
