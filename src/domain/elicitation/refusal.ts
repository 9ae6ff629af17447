export const FORM_REASONS = [
  /** The server wants a page opened, which no form is. */
  "url-mode",
  /** No form of the specification: another mode, a nested field, a choice of nothing, bounds that nothing fits. */
  "form-malformed",
  /** Over a bound of `limits.ts`. */
  "form-too-large",
] as const;
export type FormReason = (typeof FORM_REASONS)[number];
