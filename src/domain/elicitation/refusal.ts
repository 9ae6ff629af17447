export const FORM_REASONS = [
  /** The server wants a page opened, which no form is. */
  "url-mode",
  /** No form of the specification: another mode, a nested field, a choice of nothing, bounds that nothing fits. */
  "form-malformed",
  /** Over a bound of `limits.ts`. */
  "form-too-large",
] as const;
export type FormReason = (typeof FORM_REASONS)[number];

/** What whoever was asked did wrong. Nothing of it is sent. */
export const ASK_REASONS = ["answer-mismatch", "ask-failed"] as const;
export type AskReason = (typeof ASK_REASONS)[number];

/** What ends the connection as well as the call: a server that goes on like this is not asking (C7). */
export const CONNECTION_ENDING_REASONS = ["sampling-asked", "roots-asked", "too-many-rounds"] as const;
export type ConnectionEndingReason = (typeof CONNECTION_ENDING_REASONS)[number];

export const ELICITATION_REASONS = [
  "url-mode",
  "form-malformed",
  "form-too-large",
  /** An `input_required` that asks for nothing, or for something that no revision knows. */
  "round-malformed",
  /** More questions in one round than anybody would answer, or a state that is too long to be sent back. */
  "round-too-large",
  /** Against the form: see `checkAnswer`. */
  "answer-mismatch",
  /** The host's own port rejected. */
  "ask-failed",
  "sampling-asked",
  "roots-asked",
  "too-many-rounds",
] as const;
export type ElicitationReason = (typeof ELICITATION_REASONS)[number];

/** A tool call that ended over what its server asked in the middle of it. The tool may have acted all the same. */
export interface ElicitationRefusal {
  readonly kind: "elicitation";
  readonly reason: ElicitationReason;
  readonly serverId: string;
}

export function endsConnection(reason: ElicitationReason): reason is ConnectionEndingReason {
  return CONNECTION_ENDING_REASONS.some((ending) => ending === reason);
}
