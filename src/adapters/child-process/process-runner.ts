import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

import { type ApprovedLaunch, isApprovedLaunch } from "../../domain/launch/approved-launch.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ProcessRunner } from "../../ports/process-runner.ts";
import { startRefusal } from "./errors.ts";
import { type CloseLadder, GroupedChild } from "./grouped-child.ts";

/** X6: 6 seconds in all. */
const DEFAULT_LADDER: CloseLadder = { stdinMs: 2_000, termMs: 2_000, killMs: 2_000, drainMs: 200 };

export interface ProcessRunnerOptions {
  readonly clock: Clock;
  /** Rungs that differ from the defaults (2 s, 2 s, 2 s; 200 ms for stdout to run out). */
  readonly ladder?: Partial<CloseLadder>;
  /** `empty`: the child reads an end of file at once. Default: it can be written to. */
  readonly stdin?: "empty";
}

/**
 * Starts children on this machine: no shell, no inherited environment, three pipes, and on POSIX a process
 * group of their own.
 *
 * While a child runs, the host's own `exit` event kills its group, so that `process.exit()` leaves no tree
 * behind. A host that is killed itself cannot do that: then the end of stdin is all a server hears (E5).
 */
export function createProcessRunner({ clock, ladder = {}, stdin }: ProcessRunnerOptions): ProcessRunner {
  const rungs = { ...DEFAULT_LADDER, ...ladder };
  const leadsGroup = process.platform !== "win32";
  const watch = watchHostExit();
  return {
    run: async (launch, { signal }) => {
      if (!isApprovedLaunch(launch)) throw new TypeError("not a launch that checkLaunch approved");
      signal.throwIfAborted();
      let child: ChildProcessWithoutNullStreams;
      try {
        child = spawnLaunch(launch, leadsGroup);
      } catch (error) {
        return refuse(startRefusal(error));
      }
      const { pid } = child;
      if (pid === undefined) return refuse(startRefusal(await failureOf(child)));
      const running = new GroupedChild(child, { pid, clock, ladder: rungs, leadsGroup });
      if (stdin === "empty") child.stdin.end();
      watch(running);
      return accept(running);
    },
  };
}

function spawnLaunch(launch: ApprovedLaunch, leadsGroup: boolean): ChildProcessWithoutNullStreams {
  return spawn(launch.executable, [...launch.args], {
    argv0: launch.argv0,
    cwd: launch.cwd,
    env: environmentOf(launch),
    shell: false,
    detached: leadsGroup,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Exactly the approved environment. No prototype, so that `__proto__` is a name like any other. */
function environmentOf(launch: ApprovedLaunch): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = Object.create(null);
  // Node hands this one on from its own environment unless the key is there; `undefined` keeps it out (X4).
  environment["NODE_V8_COVERAGE"] = undefined;
  for (const [key, value] of launch.environment) environment[key] = value;
  return environment;
}

/** The error that Node announces one turn after a spawn without a process. */
function failureOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  return new Promise((resolve) => child.on("error", resolve));
}

/** One listener on the host's exit while children run, none otherwise. */
function watchHostExit(): (child: GroupedChild) => void {
  const running = new Set<GroupedChild>();
  const killAll = (): void => {
    for (const child of running) child.kill();
  };
  return (child) => {
    if (running.size === 0) process.on("exit", killAll);
    running.add(child);
    const forget = async (): Promise<void> => {
      await child.drained;
      await child.stop();
      running.delete(child);
      if (running.size === 0) process.off("exit", killAll);
    };
    void forget();
  };
}
