import type { HoldReason } from "./adapt-reason.ts";
import { REJECTED_NAME_LIMIT } from "./build-server-catalog.ts";
import type { CatalogTool, ServerCatalog } from "./catalog.ts";
import { cleanText } from "./untrusted-text.ts";

/**
 * Moves tools out of a catalog that may not be called before a person looked at them (A7). They end among the rejected,
 * with the reason; everything else stays. `reasonOf` answers `undefined` for a tool that stays.
 */
export function holdTools(
  catalog: ServerCatalog,
  reasonOf: (tool: CatalogTool) => HoldReason | undefined,
): { readonly catalog: ServerCatalog; readonly held: ReadonlyMap<string, HoldReason> } {
  const held = new Map<string, HoldReason>();
  const rejected = [...catalog.rejected];
  const tools = catalog.tools.filter((tool) => {
    const reason = reasonOf(tool);
    if (reason === undefined) return true;
    held.set(tool.name, reason);
    const sourceName = cleanText(tool.sourceName, REJECTED_NAME_LIMIT).text;
    rejected.push({ kind: "tool", serverId: tool.serverId, sourceName, reason });
    return false;
  });
  return { catalog: { ...catalog, tools, rejected }, held };
}
