import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { createFileWorkspaceRegistry } from "../../../src/adapters/files/workspace-registry.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { workspaceRegistryContract } from "../../ports/workspace-registry.contract.ts";

workspaceRegistryContract("file", async (t) => {
  const base = await tempFolder(t);
  const folder = join(base, "one");
  const otherFolder = join(base, "two");
  await mkdir(folder);
  await mkdir(otherFolder);
  return {
    registry: createFileWorkspaceRegistry({ folder: join(base, "home"), clock: createSystemClock() }),
    folder,
    otherFolder,
    missingFolder: join(base, "none"),
    replace: async (path) => {
      await rm(path, { recursive: true });
      await mkdir(path);
    },
  };
});
