import type { ServedCatalogReason, ServedCatalogRefusal } from "./refusal.ts";

const SENTENCES: Readonly<Record<ServedCatalogReason, string>> = {
  "duplicate-tool": "The session's tools cannot be served: two of them have the same name.",
  "submit-tool-name":
    "The session's tools cannot be served: one has the name of the tool that submits a turn.",
  "tools-unreadable": "The session's tools cannot be served: it did not say which ones it has.",
};

/** One sentence, the same for a person and for a client, without the name of any tool. */
export function describeServedCatalogRefusal({ reason }: ServedCatalogRefusal): string {
  return SENTENCES[reason];
}
