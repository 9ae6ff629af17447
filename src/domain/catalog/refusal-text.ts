import type { CallReason, CallRefusal, SchemaMismatch } from "./refusal.ts";

const SENTENCES: Readonly<Record<Exclude<CallReason, "invalid-arguments">, string>> = {
  "unknown-tool": "No tool of this name is in the catalog; list the tools for the names there are.",
};

/** Says why a call was not sent, and what to change: for a person, and for the model that made the call. */
export function describeCallRefusal(refusal: CallRefusal): string {
  if (refusal.reason !== "invalid-arguments") return SENTENCES[refusal.reason];
  return `The arguments do not fit the tool's schema: ${refusal.mismatches.map(describeMismatch).join("; ")}.`;
}

function describeMismatch({ path, expected }: SchemaMismatch): string {
  return `${path === "" ? "the arguments" : path}: expected ${expected}`;
}
