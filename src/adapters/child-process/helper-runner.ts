import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HelperRunner, HelperRunReason } from "../../ports/helper-runner.ts";
import type { RunningProcess } from "../../ports/process-runner.ts";
import type { CloseLadder } from "./grouped-child.ts";
import { createProcessRunner } from "./process-runner.ts";

/** A helper that is late or talks too much has nothing to put in order: its whole group is killed at once. */
const AT_ONCE: Partial<CloseLadder> = { stdinMs: 0, termMs: 0 };

type Run = Outcome<Uint8Array, HelperRunReason>;

/** Runs headers helpers on this machine: no shell, no inherited environment, a process group of their own. */
export function createHelperRunner({ clock }: { readonly clock: Clock }): HelperRunner {
  const runner = createProcessRunner({ clock, ladder: AT_ONCE, stdin: "empty" });
  return {
    run: async (launch, { signal, timeoutMs, outputLimitBytes }) => {
      const started = await runner.run(launch, { signal });
      if (!started.ok) return refuse("helper-failed");
      const child = started.value;
      const over = new AbortController();
      const stop = (): void => over.abort();
      signal.addEventListener("abort", stop, { once: true });
      try {
        const late = clock.wait(timeoutMs, { signal: over.signal }).then(
          () => refuse<HelperRunReason>("helper-timeout"),
          // Ended by the abort, which is told below, or in `finally`, when nobody reads it any more.
          () => refuse<HelperRunReason>("helper-failed"),
        );
        const end = await Promise.race<Run>([outputOf(child, outputLimitBytes), late]);
        signal.throwIfAborted();
        return end;
      } finally {
        signal.removeEventListener("abort", stop);
        stop();
        await child.stop();
      }
    },
  };
}

/** Settles with the run's end, or as soon as it has printed too much. */
function outputOf(child: RunningProcess, limitBytes: number): Promise<Run> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    child.onStdout((chunk) => {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) resolve(refuse("helper-output-too-large"));
      else chunks.push(chunk);
    });
    void child.drained.then(({ code }) => {
      resolve(code === 0 ? accept(Buffer.concat(chunks)) : refuse("helper-failed"));
    });
  });
}
