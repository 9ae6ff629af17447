import type { DefinitionSource, ServerDefinition } from "./definition.ts";
import type { DefinitionProblem } from "./problem.ts";
import type { SourceProblem, SourceWarning } from "./container.ts";

export interface ShadowedEntry {
  readonly source: DefinitionSource;
  readonly origin: string;
}

/** Why a name resolved to nothing although some source has it (D12). */
export interface Blocked {
  readonly kind: "blocked";
  readonly reason: "managed-unreadable";
  /** The managed source that could not be read, and why. */
  readonly cause: SourceProblem;
}

/**
 * - `resolved`: a definition that may be put to activation and admission.
 * - `unresolved`: the winning entry is malformed, or the name is blocked.
 * - `disabled`: by the entry itself or by an overlay.
 * - `misconfigured`: decoded, but a variable without a value was left in it.
 */
export type ResolvedServer = {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly origin: string;
  readonly shadowed: readonly ShadowedEntry[];
} & (
  | { readonly status: "resolved" | "misconfigured"; readonly definition: ServerDefinition }
  | {
      readonly status: "disabled";
      readonly definition: ServerDefinition;
      readonly disabledBy: "entry" | "overlay";
      /** The overlay's own words; absent when the entry disabled itself. */
      readonly disabledReason?: string;
    }
  | { readonly status: "unresolved"; readonly problem: DefinitionProblem | Blocked }
);

export interface Resolution {
  /** Sorted by name, each name once. */
  readonly servers: readonly ResolvedServer[];
  readonly sourceProblems: readonly SourceProblem[];
  readonly sourceWarnings: readonly SourceWarning[];
}

/** Looks one variable up; called only for names that occur, at most once a name (D8). */
export type Environment = (name: string) => string | undefined;
