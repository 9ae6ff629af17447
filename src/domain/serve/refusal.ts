/** Why a session's tools cannot be served (R1). Closed set. */
export const SERVED_CATALOG_REASONS = [
  "duplicate-tool",
  /** A tool has the name of the one that submits a turn. */
  "submit-tool-name",
  /** The session did not say its tools: it failed, took too long, or answered with something else. */
  "tools-unreadable",
] as const;
export type ServedCatalogReason = (typeof SERVED_CATALOG_REASONS)[number];

export interface ServedCatalogRefusal {
  readonly kind: "served-catalog";
  readonly reason: ServedCatalogReason;
}
