import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../fixtures/oauth/refresher.ts", import.meta.url));

/** Of a refresh, in order. */
export const REFRESH_STEPS = [
  "before the request",
  "after the request",
  "before the write",
  "before the rename",
  "after the rename",
  "after the write",
] as const;
export type RefreshStep = (typeof REFRESH_STEPS)[number];

export interface RefresherOptions {
  readonly url: string;
  readonly folder: string;
  readonly staleMs?: number;
  /** Where it sends itself {@link RefresherOptions.signal}. */
  readonly step?: RefreshStep;
  /** Default `SIGKILL`. */
  readonly signal?: "SIGKILL" | "SIGSTOP";
  /** Calls no tool with what it got. */
  readonly authorizeOnly?: boolean;
}

export interface RefresherReport {
  /** `Authorization` of each of the eight calls, or why there was none. */
  readonly authorizations: readonly string[];
  readonly call: string;
}

export interface Refresher {
  /** The next line; rejects when the process ends first. */
  next(): Promise<string>;
  go(): void;
  resume(): void;
  report(): Promise<RefresherReport>;
  /** The signal that ended it; `null`: it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

export interface RefresherWorld {
  /** Blocks of 512 bytes or 1 KiB, by the shell, that a file may have. A shell's limit stands for a full disk. */
  readonly fileLimitBlocks?: number;
  /** The user to run as. */
  readonly uid?: number | undefined;
}

/** A process that shares a credential with others and is `ready`. It does not outlive its test. */
export async function startRefresher(
  t: TestContext,
  options: RefresherOptions,
  world: RefresherWorld = {},
): Promise<Refresher> {
  const command = [process.execPath, SCRIPT, JSON.stringify(options)];
  const limited = ["-c", `ulimit -f ${world.fileLimitBlocks}; exec "$@"`, "sh", ...command];
  const [program = "", ...args] = world.fileLimitBlocks === undefined ? command : ["/bin/sh", ...limited];
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(world.uid !== undefined && { uid: world.uid }),
  });
  const ended = once(child, "close").then(([, signal]) => signal as NodeJS.Signals | null);
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error("the process ended");
    return line.value;
  };
  const refresher: Refresher = {
    next,
    ended,
    go: () => void child.stdin.end("go\n"),
    resume: () => void child.kill("SIGCONT"),
    report: async () => JSON.parse(await next()) as RefresherReport,
  };
  const first = await next();
  if (first !== "ready") throw new Error(`the process says ${first}`);
  return refresher;
}
