import type { Catalog, CatalogTool } from "../../domain/catalog/catalog.ts";
import type { SchemaProfile } from "../../domain/catalog/profile-rules.ts";
import { profileTool } from "../../domain/catalog/profile-tool.ts";

/** Makes the tools of a catalog as a host shows them. */
export type ShownTools = (tools: Catalog["tools"]) => Catalog["tools"];

/** Shows tools as one model API takes them (K4), each made once; without a profile as they are. */
export function createShownTools(profile: SchemaProfile | undefined): ShownTools {
  if (profile === undefined) return (tools) => tools;
  const made = new WeakMap<CatalogTool, CatalogTool>();
  return (tools) =>
    new Map(
      Array.from(tools, ([name, tool]) => {
        const shown = made.get(tool) ?? profileTool(tool, profile);
        made.set(tool, shown);
        return [name, shown] as const;
      }),
    );
}
