import { resolve } from "node:path";

import type { ConfigPlace } from "../../ports/config-source.ts";
import { hostSettings } from "../host/default-parts.ts";
import type { CommandLine } from "./arguments.ts";
import { configPlaces } from "./places.ts";
import { callersFolder, workspaceFolder } from "./start-folder.ts";

/** The places that a command reads its configuration from, strongest first. */
export async function lookedAt(line: CommandLine, inWorkspace: boolean): Promise<readonly ConfigPlace[]> {
  const folder = callersFolder();
  const places = configPlaces(line.config, folder);
  if (places.ok && places.value.length > 0) return places.value;
  const settings = await hostSettings({
    ...(line.home !== undefined && { home: resolve(folder, line.home) }),
    ...(inWorkspace && { workspace: workspaceFolder(line) }),
  });
  return settings.places;
}
