import type { CallReason, CallRefusal, ResultReason, ResultRefusal, SchemaMismatch } from "./refusal.ts";

const SENTENCES: Readonly<Record<Exclude<CallReason, "invalid-arguments">, string>> = {
  "tool-held":
    "This tool may not be called before a person has accepted its definition; `sallyport tools --changes` shows what it is about",
  "headers-not-allowed":
    "The server takes this call only with some of its arguments in HTTP headers as well, where others can read them. A host allows that for exactly one tool by `parameterHeaders`; nothing was done.",
  "unknown-tool": "No tool of this name is in the catalog; list the tools for the names there are.",
};

/** Says why a call was not sent, and what to change: for a person, and for the model that made the call. */
export function describeCallRefusal(refusal: CallRefusal): string {
  if (refusal.reason === "tool-held") return `${SENTENCES[refusal.reason]} (${refusal.hold}).`;
  if (refusal.reason !== "invalid-arguments") return SENTENCES[refusal.reason];
  return `The arguments do not fit the tool's schema: ${refusal.mismatches.map(describeMismatch).join("; ")}.`;
}

function describeMismatch({ path, expected }: SchemaMismatch): string {
  return `${path === "" ? "the arguments" : path}: expected ${expected}`;
}

const RESULTS: Readonly<Record<ResultReason, string>> = {
  "too-large":
    "The tool has answered, but its result is larger than may be handed over, and nothing here keeps such results; ask it for less",
  "not-kept":
    "The tool has answered, but its result is too large to be handed over and could not be kept; ask it for less, or make room in Sallyport's home",
  "reference-malformed":
    "This is no reference of a kept result: those are 32 digits and letters from a to f.",
  "reference-unknown":
    "No result is kept under this reference; results are kept for 7 days, and the oldest go when there are many.",
};

/** Says why a result cannot be handed over, and what helps. */
export function describeResultRefusal(refusal: ResultRefusal): string {
  const sentence = RESULTS[refusal.reason];
  if (refusal.reason === "too-large") return `${sentence} (above ${refusal.limitChars} characters).`;
  if (refusal.reason === "not-kept") return `${sentence} (${refusal.store}).`;
  return sentence;
}
