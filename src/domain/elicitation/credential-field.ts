import type { ElicitationForm, FormField } from "./form.ts";

/**
 * What a form may not ask for (MCP 2025-11-25, elicitation, security considerations). Narrower than the shape of a
 * credential's name in configuration (D10): an issue key is no secret, and a form that asks for one is no attack.
 */
const CREDENTIAL =
  /pass(?:word|wd|phrase|code)|secret|credential|token(?!s)|(?:api|private|access|recovery|seed)[\s_-]?(?:key|phrase|code)|bearer|\b(?:jwt|pin|otp|cvv|cvc|ssn)\b/i;

/** The first field that asks for what looks like a credential. A hint for a person, not a guard: names lie. */
export function credentialField(form: ElicitationForm): FormField | undefined {
  return form.fields.find(
    (field) =>
      (field.type === "text" || field.type === "integer" || field.type === "number") &&
      CREDENTIAL.test(`${field.name} ${field.title ?? ""}`.replaceAll("_", " ")),
  );
}
