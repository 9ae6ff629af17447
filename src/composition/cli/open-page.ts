import { browserProgram, createPageOpener } from "../../adapters/child-process/page-opener.ts";
import { createExecutableFinder } from "../../adapters/files/executable-search.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import type { PageOpener, PageOpening } from "../../ports/page-opener.ts";

/** Opens a page in the browser of this desktop; `failed` where there is none. */
export async function openPage(
  url: string,
  options: Parameters<PageOpener["open"]>[1],
): Promise<PageOpening> {
  const { env, platform } = process;
  // Without a desktop the launcher would start a browser for terminals, and that needs the very terminal.
  if (platform === "linux" && !env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return "failed";
  const finder = createExecutableFinder({ path: env["PATH"] ?? "", platform });
  const program = await browserProgram(platform, {
    find: async (name) => (await finder.find(name, "/"))?.foundAt,
    systemRoot: env["SystemRoot"],
  });
  if (program === undefined) return "failed";
  return createPageOpener({ program, clock: createSystemClock() }).open(url, options);
}
