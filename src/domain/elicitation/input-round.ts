import { isJsonObject, objectFrom, own, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { decodeForm } from "./decode-form.ts";
import type { ElicitationForm, FormAnswer } from "./form.ts";
import type { ElicitationReason } from "./refusal.ts";

/** C7. Of one call: `input_required` results in 2026-07-28, requests of the server before it. */
export const ROUND_LIMIT = 10;
/** Of one round. Our choice: as many as a call may have rounds. */
export const ROUND_ENTRY_LIMIT = 10;
/** In UTF-16 units. Our choice: the official server signs its state, which stays far below. */
export const REQUEST_STATE_LIMIT = 65_536;
/** In UTF-16 units; they are sent back. */
const ENTRY_KEY_LIMIT = 256;

/** What a server needs before it answers (2026-07-28, `input_required`). */
export interface InputRound {
  readonly entries: readonly { readonly key: string; readonly form: ElicitationForm }[];
  /** To be sent back as it is. Opaque, and nobody's to read. */
  readonly requestState?: string;
}

/**
 * Reads a whole `input_required` result, so that nobody is asked the first of several questions of which the last is
 * broken.
 */
export function decodeInputRound(result: JsonObject): Outcome<InputRound, ElicitationReason> {
  const { inputRequests: requests = {}, requestState } = result;
  if (!isJsonObject(requests)) return refuse("round-malformed");
  if (requestState !== undefined && typeof requestState !== "string") return refuse("round-malformed");
  const asked = Object.entries(requests);
  // With neither there is nothing that the next attempt would say and this one did not.
  if (asked.length === 0 && requestState === undefined) return refuse("round-malformed");
  if (asked.length > ROUND_ENTRY_LIMIT || (requestState?.length ?? 0) > REQUEST_STATE_LIMIT) {
    return refuse("round-too-large");
  }
  const entries: { readonly key: string; readonly form: ElicitationForm }[] = [];
  for (const [key, request] of asked) {
    if (key.length > ENTRY_KEY_LIMIT) return refuse("round-too-large");
    const form = decodeEntry(request);
    if (!form.ok) return form;
    entries.push({ key, form: form.value });
  }
  return accept({ entries, ...(requestState !== undefined && { requestState }) });
}

function decodeEntry(request: unknown): Outcome<ElicitationForm, ElicitationReason> {
  if (!isJsonObject(request)) return refuse("round-malformed");
  switch (own(request, "method")) {
    case "elicitation/create":
      return decodeForm(request["params"]);
    case "sampling/createMessage":
      return refuse("sampling-asked");
    case "roots/list":
      return refuse("roots-asked");
    default:
      return refuse("round-malformed");
  }
}

/** What the next attempt of the call says besides what the first one said. Nothing of an earlier round is in it. */
export function answerRound(
  round: InputRound,
  answers: readonly { readonly key: string; readonly answer: FormAnswer }[],
): JsonObject {
  const { requestState } = round;
  return {
    ...(answers.length > 0 && {
      inputResponses: objectFrom(answers.map(({ key, answer }) => [key, answer])),
    }),
    ...(requestState !== undefined && { requestState }),
  };
}
