/** The first thing wrong with one entry. The configured value is never part of it (D3). */
export interface DefinitionProblem {
  readonly kind: "definition";
  readonly reason: DefinitionProblemReason;
  /** Field path made of keys our schema knows, such as `env`, `args[3]`, `oauth.callbackPort`. */
  readonly path: string;
  /** What the field has to be, in words out of our own table. */
  readonly expected: string;
  /** Keys of the entry that nobody reads, where what is missing may be among them, misspelt. */
  readonly ignoredKeys?: readonly string[];
}

export type DefinitionProblemReason =
  | "invalid-name"
  | "duplicate-key"
  | "not-object"
  | "missing-field"
  | "invalid-type"
  | "invalid-value"
  | "too-long"
  | "too-many"
  | "out-of-range"
  | "wrong-transport-field"
  | "ambiguous-transport"
  | "unknown-transport"
  | "secret-in-configuration"
  | "template-not-allowed"
  | "conflicting-fields";
