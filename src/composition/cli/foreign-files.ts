import { stat } from "node:fs/promises";
import { join, relative } from "node:path";

import type { CommandLine } from "./arguments.ts";
import { callersFolder, workspaceFolder } from "./start-folder.ts";

/** Files of a workspace in which other hosts have their servers (D1c). They are never read unless they are named. */
const PLACES: readonly string[] = [
  ".vscode/mcp.json",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".roo/mcp.json",
  ".codex/config.toml",
  ".zed/settings.json",
  "opencode.json",
  "opencode.jsonc",
];

/** Those that are there, as a command line would name them. Nothing in them is looked at. */
export async function foreignFiles(line: CommandLine): Promise<readonly string[]> {
  const workspace = workspaceFolder(line);
  const found = await Promise.all(
    PLACES.map(async (place) => {
      const isThere = await stat(join(workspace, place)).then(
        (stats) => stats.isFile(),
        () => false,
      );
      return isThere ? [relative(callersFolder(), join(workspace, place))] : [];
    }),
  );
  return found.flat();
}
