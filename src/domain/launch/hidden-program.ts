import { isCredentialName } from "../definition/credential-shape.ts";
import { baseName } from "./paths.ts";
import { isShell } from "./shells.ts";

/* Take flags that they do not know for switches, so that the word behind one may be the package. */
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set("npx npm pnpm pnpx yarn yarnpkg bunx bun".split(" "));

/* Stop at flags that they do not know: the first plain word is what runs. */
const PROGRAM_RUNNERS: ReadonlySet<string> = new Set(
  `
  node nodejs deno tsx ts-node uv uvx pipx python pypy py ruby bundle perl php java dotnet go cargo lua julia rscript
  docker podman nerdctl mise asdf rtx nix
  `
    .trim()
    .split(/\s+/),
);

/* Words before the one that says what runs; for package runners one of them, and not for those that have none. */
const SUBCOMMANDS: ReadonlySet<string> = new Set(
  "exec dlx x run tool create container compose start".split(" "),
);
const WITHOUT_SUBCOMMANDS: ReadonlySet<string> = new Set(["npx", "pnpx", "bunx"]);

/* Take NAME=value or NAME behind `-e`, which is code for the languages. */
const CONTAINERS: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);

/** Flags of package runners that are known to take no word. */
const SWITCHES: ReadonlySet<string> = new Set(
  `
  -y --yes -q --quiet -s --silent --no-install --no-save --ignore-existing --prefer-offline --prefer-online --offline
  -g --global --bun --verbose
  `
    .trim()
    .split(/\s+/),
);

/** Flags whose word is code or a package itself: it is shown, save for what has the format of a credential in it. */
const INLINE: ReadonlySet<string> = new Set("-e --eval -p --print -c -E -r --call".split(" "));

/** Of a line with something masked in it. Our choice: nobody reads on to find what that is. Each runner reads the rest. */
const WORDS_LIMIT = 1_024;

/**
 * Whether masking hides a word that decides which code runs (M2, D16): `npx --auth-key NAME` runs `NAME`, and `npx
 * ghp_…` a package of that name. Nothing is unmasked for that, since it may be a secret; it is not approved.
 *
 * Only what stands before the certain first word of a runner is looked at. Behind it stand the arguments of a program
 * that the approver has read, and they may be hidden.
 *
 * @param words the command and its arguments as an approver is shown them
 */
export function hidesProgram(words: readonly string[]): boolean {
  if (!words.some((word) => word.includes("[redacted"))) return false;
  const [first = ""] = words;
  const isWrapped = isShell(first);
  // `sh -c` and `env -S` take a whole line in one word.
  const line = isWrapped ? words.flatMap((word) => word.split(/\s+/)) : words;
  if (line.length > WORDS_LIMIT) return true;
  if (isWrapped && hidesFirstWord(programName(first), line.slice(1))) return true;
  return line.some((word, index) => {
    const name = programName(word);
    const rest = line.slice(index + 1);
    if (PACKAGE_RUNNERS.has(name)) return hidesPackage(name, rest);
    return (index === 0 || isWrapped) && PROGRAM_RUNNERS.has(name) && hidesFirstWord(name, rest);
  });
}

function programName(word: string): string {
  const name = baseName(word)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|ps1|bat)$/, "");
  return name.replace(/-?\d[\d.]*$/, "").replace(/@[^@]*$/, "");
}

function hidesPackage(runner: string, args: readonly string[]): boolean {
  let flag: string | undefined;
  let mayBeSubcommand = !WITHOUT_SUBCOMMANDS.has(runner);
  for (const word of args) {
    if (word.startsWith("-")) {
      if (hidesInFlag(word)) return true;
      flag = word;
      continue;
    }
    if (isHidden(word)) return true;
    const certain = flag === undefined || flag === "--" || SWITCHES.has(flag) || flag.includes("=");
    flag = undefined;
    if (!certain) continue;
    if (!mayBeSubcommand || !SUBCOMMANDS.has(word)) return false;
    mayBeSubcommand = false;
  }
  return false;
}

function hidesFirstWord(runner: string, args: readonly string[]): boolean {
  let flag: string | undefined;
  for (const word of args) {
    const behind = flag;
    flag = word.startsWith("-") ? word : undefined;
    if (flag !== undefined && hidesInFlag(flag)) return true;
    if (flag !== undefined || SUBCOMMANDS.has(word)) continue;
    // Code is shown as it is, but for what has the format of a credential inside it.
    if (isInline(runner, behind)) return word.startsWith("[redacted");
    if (isHidden(word)) return true;
    if (!isAssignment(word) && !(CONTAINERS.has(runner) && behind === "-e")) return false;
  }
  return false;
}

/**
 * `--package=x` and `--import=x` say what runs as their two words do. What is hidden for the name of its flag is a
 * value: such flags name no program.
 */
function hidesInFlag(word: string): boolean {
  const at = word.indexOf("=");
  if (at === -1) return false;
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  if (isCredentialName(name)) return false;
  return INLINE.has(name) ? value.startsWith("[redacted") : isHidden(value);
}

function isInline(runner: string, flag: string | undefined): boolean {
  return flag !== undefined && INLINE.has(flag) && !CONTAINERS.has(runner);
}

/** Whether more is hidden than the password or the query of a URL, or the value behind a name that is shown. */
function isHidden(word: string): boolean {
  if (isAssignment(word)) return false;
  return word
    .replace(/:\/\/[^/@\s]*@/g, "://")
    .replace(/[?#].*$/s, "")
    .includes("[redacted");
}

/** `NAME=value`, as `docker run -e` and `env` take it. */
function isAssignment(word: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);
}
