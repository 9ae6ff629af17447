import { VERBS } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

/** What is wrong with the command line, for a person. Never a value that stood on it: that may be a secret. */
export type UsageProblem = string;

/** Only what looks like a verb is said back: a token that slipped into its place does not. */
export function noSuchVerb(word: string): UsageProblem {
  const shown = /^[a-z]{1,16}$/i.test(word) ? `"${word}"` : "of that name";
  return `there is no verb ${shown}; the verbs are ${Object.keys(VERBS).join(", ")}`;
}

/** Only what looks like a flag is said back. */
export function noSuchFlag(rawName: string): UsageProblem {
  const shown = /^--?[a-z][a-z-]{0,30}$/i.test(rawName) ? rawName : "of that name";
  return `there is no flag ${shown}; \`sallyport --help\` lists them`;
}

/** Whether a verb got as many operands as it takes; they are counted and not quoted. */
export function operandProblem(verb: Verb, given: number): UsageProblem | undefined {
  const { operands, usage } = VERBS[verb];
  const { least, most } = operands;
  const help = `usage: sallyport ${usage}`;
  if (given < least) return `${usage.split(" ")[given + 1] ?? "something"} is missing; ${help}`;
  if (given <= most) return undefined;
  const takes = most === 0 ? "nothing" : most === 1 ? "one word" : `${most} words at most`;
  return `${verb} takes ${takes}, but got ${given}; ${help}`;
}
