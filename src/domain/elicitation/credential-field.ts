import type { ElicitationForm, FormField } from "./form.ts";

/**
 * What a form may not ask for (MCP 2025-11-25, elicitation, security considerations). Narrower than the shape of a
 * credential's name in configuration (D10): an issue key is no secret, and a form that asks for one is no attack.
 */
const CREDENTIAL = new RegExp(
  [
    "pass ?(?:word|wd|phrase|code)|secret|credential|token(?!s)|bearer|mnemonic",
    "(?:api|private|access|recovery|seed|ssh|signing|encryption) ?(?:key|phrase|code)",
    "(?:one ?time|verification|authentication|authorization|auth|security|login|backup) ?code",
    "(?:auth|login|session) ?cookie|(?:credit|debit) ?card|card ?number",
    "\\b(?:pwd|jwt|pin|otp|totp|2fa|mfa|cvv|cvc|ssn)\\b",
  ].join("|"),
  "i",
);
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/gu;

/** The first field that asks for what looks like a credential. A hint for a person, not a guard: names lie. */
export function credentialField(form: ElicitationForm): FormField | undefined {
  return form.fields.find(
    (field) =>
      (field.type === "text" || field.type === "integer" || field.type === "number") &&
      CREDENTIAL.test(words(`${field.name} ${field.title ?? ""}`)),
  );
}

/** As a person reads it: wide letters are letters, what is not seen is not there, and `userPin` is two words. */
function words(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(HUMP, " ")
    .replaceAll(/[\s_-]+/g, " ");
}
