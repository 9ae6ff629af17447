import type { Elicit } from "../../src/ports/mcp-peer.ts";
import type { ElicitationForm, FormAnswer } from "../../src/domain/elicitation/form.ts";
import { accept } from "../../src/domain/outcome.ts";

/** Parameters of a question with one field, `sure`, and the form that they are. */
export const SURE_PARAMS = {
  message: "Sure?",
  requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
} as const;
export const SURE_FORM: ElicitationForm = {
  message: "Sure?",
  fields: [{ type: "boolean", name: "sure", required: true }],
};
export const YES: FormAnswer = { action: "accept", content: { sure: true } };

/** An `elicitation/create` request of the older era. */
export function question(id: string | number, params: unknown = SURE_PARAMS): Record<string, unknown> {
  return { jsonrpc: "2.0", id, method: "elicitation/create", params };
}

export interface AskedForm {
  readonly form: ElicitationForm;
  readonly signal: AbortSignal;
  readonly answer: (answer: FormAnswer) => void;
}

/** Keeps each form until the test answers it. */
export function pendingForms(): { readonly asked: AskedForm[]; readonly elicit: Elicit } {
  const asked: AskedForm[] = [];
  return {
    asked,
    elicit: (form, { signal }) =>
      new Promise((resolve) => {
        asked.push({ form, signal, answer: (answer) => resolve(accept(answer)) });
      }),
  };
}
