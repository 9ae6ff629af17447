import { baseName } from "./paths.ts";

/** What takes the name of a package or an image in its arguments and runs what is published under it. */
const FETCHERS: ReadonlySet<string> = new Set("npx pnpx bunx uvx pipx docker podman nerdctl".split(" "));

/** The same, behind one of these words. */
const SUBCOMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["exec", "x"]],
  ["pnpm", ["dlx"]],
  ["yarn", ["dlx"]],
  ["bun", ["x"]],
  ["uv", ["tool", "run"]],
]);

/**
 * Whether a command line runs a package or an image by its name. An approval of it fixes these words, not the code behind
 * them: an approver should know. A hint: a program of another name may do the same.
 */
export function fetchesCode(command: string, args: readonly string[]): boolean {
  const name = baseName(command)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|ps1|bat)$/, "");
  if (FETCHERS.has(name)) return true;
  const words = SUBCOMMANDS.get(name);
  const first = args.find((word) => !word.startsWith("-"));
  return words !== undefined && first !== undefined && words.includes(first);
}
