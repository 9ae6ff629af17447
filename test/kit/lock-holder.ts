import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../fixtures/oauth/hold-lock.ts", import.meta.url));

export interface LockHolder {
  readonly child: ChildProcess;
  /** The next line that the process prints; rejects when it ends before. */
  readonly next: () => Promise<string>;
  readonly tell: (line: string) => void;
  readonly ended: Promise<unknown>;
}

/** A process that wants the lock under `home`, and says `held` once it has it. It does not outlive the test. */
export function startLockHolder(
  t: TestContext,
  home: string,
  { staleMs }: { readonly staleMs: number },
): LockHolder {
  const child = spawn(process.execPath, [SCRIPT, home, String(staleMs), "hold"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended,
    next: async () => {
      const line = await lines.next();
      if (line.done === true) throw new Error("the lock holder ended");
      return line.value;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
  };
}
