import { spawn } from "node:child_process";

import { checkPageUrl } from "../../domain/oauth/page-url.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PageOpener, PageOpening } from "../../ports/page-opener.ts";
import { within } from "./within.ts";

/** A program that shows the page named by its last argument. */
export interface BrowserProgram {
  /** Absolute: a bare name would be whatever the current folder or `PATH` makes of it. */
  readonly command: string;
  /** Stand before the URL. */
  readonly args: readonly string[];
}

export interface PageOpenerOptions {
  readonly program: BrowserProgram;
  /** A launcher finds the desktop through it. Default: the process environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** A launcher that finds no browser says so within this time; one that runs on is the browser itself. */
const VERDICT_MS = 3_000;

/** Opens pages by an argument array, never a shell. The program runs in `/`, apart from every workspace. */
export function createPageOpener({ program, environment, clock }: PageOpenerOptions): PageOpener {
  return {
    open: async (url, { signal }) => {
      signal.throwIfAborted();
      const checked = checkPageUrl(url);
      if (checked === undefined) return "refused";
      const child = spawn(program.command, [...program.args, checked], {
        cwd: "/",
        env: { ...(environment ?? process.env) },
        shell: false,
        detached: true,
        windowsHide: true,
        stdio: "ignore",
      });
      const ended = new Promise<PageOpening>((resolve) => {
        child.once("error", () => resolve("failed"));
        child.once("exit", (code) => resolve(code === 0 ? "opened" : "failed"));
      });
      // It may outlive us: a browser that was not running yet is the launcher's own process.
      child.unref();
      return (await within(ended, { clock, ms: VERDICT_MS })) ? ended : "opened";
    },
  };
}

/** What opens pages on a platform; `undefined`: nothing that is known. `find` looks a bare name up. */
export async function browserProgram(
  platform: string,
  options: {
    readonly find: (name: string) => Promise<string | undefined>;
    readonly systemRoot: string | undefined;
  },
): Promise<BrowserProgram | undefined> {
  switch (platform) {
    case "darwin":
      return { command: "/usr/bin/open", args: [] };
    case "win32":
      return {
        command: `${options.systemRoot ?? "C:\\Windows"}\\System32\\rundll32.exe`,
        args: ["url.dll,FileProtocolHandler"],
      };
    default: {
      const command = await options.find("xdg-open");
      return command === undefined ? undefined : { command, args: [] };
    }
  }
}
