import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { parsePattern } from "./pattern-parse.ts";
import type { PatternNode } from "./pattern-parse.ts";

export type PatternRefusal = "pattern-unbounded" | "pattern-invalid";

export const PATTERN_LIMIT = 256;

/* Steps of a backtracking engine: independent of the text, and for each character of it. */
const FIXED_STEPS = 10_000;
const STEPS_A_CHARACTER = 100;

/** A bound on the steps from some point of a pattern to its end: `fixed + each × text length`. */
interface Steps {
  readonly fixed: number;
  readonly each: number;
}

const TOO_MANY: Steps = { fixed: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY };

/**
 * Lets a server's `pattern` through when its work on a backtracking engine is at most linear in the text,
 * whatever the text is (K4).
 *
 * The proof counts every way of matching: alternatives add, a repetition multiplies what follows it. One
 * unbounded repetition of a single character is linear after `^`; a second one, one around a group, or one
 * that may start anywhere is not, and is given up (`pattern-unbounded`). Look-around and
 * back-references are given up too. What does not compile with the `u` flag is `pattern-invalid`.
 */
export function admitPattern(raw: unknown): Outcome<string, PatternRefusal> {
  if (typeof raw !== "string") return refuse("pattern-invalid");
  if (raw.length > PATTERN_LIMIT) return refuse("pattern-unbounded");
  const tree = parsePattern(raw);
  if (tree === "unsupported") return refuse(compiles(raw) ? "pattern-unbounded" : "pattern-invalid");
  if (!compiles(raw)) return refuse("pattern-invalid");
  return isLinear(tree) ? accept(raw) : refuse("pattern-unbounded");
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isLinear(tree: PatternNode): boolean {
  const steps = stepsFor(tree, { fixed: 1, each: 0 });
  if (isAnchored(tree)) return steps.fixed <= FIXED_STEPS && steps.each <= STEPS_A_CHARACTER;
  /* Without `^` the engine tries every start: what was fixed is now paid for each character. */
  return steps.each === 0 && steps.fixed <= STEPS_A_CHARACTER;
}

function isAnchored(node: PatternNode): boolean {
  if (node.kind === "start") return true;
  if (node.kind === "alternatives") return node.branches.every(isAnchored);
  return node.kind === "sequence" && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}

/** The steps for `node` and everything after it, which takes `after`. */
function stepsFor(node: PatternNode, after: Steps): Steps {
  if (node.kind === "sequence") return node.parts.reduceRight((rest, part) => stepsFor(part, rest), after);
  if (node.kind === "alternatives")
    return node.branches.map((branch) => stepsFor(branch, after)).reduce(plus);
  if (node.kind === "repeat") return stepsForRepeat(node, after);
  return plus(after, { fixed: 1, each: 0 });
}

function stepsForRepeat(node: Extract<PatternNode, { kind: "repeat" }>, after: Steps): Steps {
  if (node.body.kind === "character") {
    if (node.max !== undefined)
      return plus(times(after, node.max - node.min + 1), { fixed: node.max, each: 0 });
    /* Each length of the run may be tried, and what follows is tried after each. */
    return after.each > 0 ? TOO_MANY : { fixed: node.min + after.fixed, each: 1 + after.fixed };
  }
  if (node.max === undefined || node.max > FIXED_STEPS) return TOO_MANY;
  let steps = after;
  for (let count = node.max; count > 0 && isBounded(steps); count -= 1) {
    /* A round costs a step even if its body is empty, or nested empty groups would be counted for ever. */
    const once = plus(stepsFor(node.body, steps), { fixed: 1, each: 0 });
    steps = count > node.min ? plus(once, after) : once;
  }
  return steps;
}

function isBounded(steps: Steps): boolean {
  return steps.fixed <= FIXED_STEPS && steps.each <= STEPS_A_CHARACTER;
}

function plus(a: Steps, b: Steps): Steps {
  return { fixed: a.fixed + b.fixed, each: a.each + b.each };
}

function times(a: Steps, count: number): Steps {
  return { fixed: a.fixed * count, each: a.each * count };
}
