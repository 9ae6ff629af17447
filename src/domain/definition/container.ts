import type { DefinitionSource } from "./definition.ts";
import type { ConfigFormat, KnownFolders } from "./foreign/format.ts";

/** Why a container could not be read as a whole. Closed set (D1, D1b, D12). */
export type SourceProblemReason =
  | "unreadable-file"
  | "file-too-large"
  | "not-utf8"
  | "invalid-syntax"
  | "nested-too-deep"
  | "root-not-object"
  | "servers-missing"
  | "servers-not-object"
  | "servers-duplicated"
  | "too-many-servers";

export interface SourceProblem {
  readonly kind: "source";
  readonly reason: SourceProblemReason;
  readonly source: DefinitionSource;
  readonly origin: string;
  /** 1-based, of a syntax error. */
  readonly line?: number;
  readonly column?: number;
  /** Of `servers-missing`: the format that keeps its servers where this document has some. */
  readonly looksLike?: ConfigFormat;
}

/** Something worth telling about a source that was read all the same. */
export interface SourceWarning {
  readonly source: DefinitionSource;
  readonly origin: string;
  readonly warning: "empty-file" | "byte-order-mark" | "comments" | "trailing-commas" | "trust-ignored";
}

/** One configuration document, already parsed, or the reason why it could not be. */
export type Container =
  | {
      readonly source: DefinitionSource;
      /** A path, a plugin id, a policy name: shown to people, part of the security identity. */
      readonly origin: string;
      /** The parsed document. */
      readonly value: unknown;
      /** Whose shape it has (D1c). Default: our own. */
      readonly format?: ConfigFormat;
      /** What placeholders of that format may name. */
      readonly folders?: KnownFolders;
      /** Paths of keys that stood twice in one object; `['mcpServers', 'a']` refuses both entries. */
      readonly duplicateKeys?: readonly (readonly string[])[];
      readonly warnings?: readonly SourceWarning["warning"][];
    }
  | {
      readonly source: DefinitionSource;
      readonly origin: string;
      readonly problem: Omit<SourceProblem, "kind" | "source" | "origin">;
    };
