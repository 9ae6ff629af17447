import type { ChildProcessWithoutNullStreams } from "node:child_process";

import type { Clock } from "../../ports/clock.ts";
import type { ProcessExit, RunningProcess } from "../../ports/process-runner.ts";
import { hasLivingMember, signalGroup } from "./process-group.ts";
import { within } from "./within.ts";

/** How long each rung of closing waits, in milliseconds. */
export interface CloseLadder {
  /** From the end of stdin to SIGTERM. Default 2,000. */
  readonly stdinMs: number;
  /** From SIGTERM to SIGKILL. Default 2,000. */
  readonly termMs: number;
  /** From SIGKILL to giving up. Default 2,000. */
  readonly killMs: number;
  /** How long stdout may be held open by a survivor after the child's exit. Default 200. */
  readonly drainMs: number;
}

/** Pauses between two looks at a group whose leader is gone: short at first, as most are gone at once. */
const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 50;

/** A spawned child that leads its own group (on Windows: that is alone), and the closing of all of it. */
export class GroupedChild implements RunningProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  readonly drained: Promise<ProcessExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  readonly #ladder: CloseLadder;
  readonly #leadsGroup: boolean;
  #onStderr: ((chunk: Uint8Array) => void) | undefined;
  #hasExited = false;
  #isGroupGone = false;
  #sweep: Promise<boolean> | undefined;

  constructor(
    child: ChildProcessWithoutNullStreams,
    options: {
      readonly pid: number;
      readonly clock: Clock;
      readonly ladder: CloseLadder;
      readonly leadsGroup: boolean;
    },
  ) {
    this.#child = child;
    this.pid = options.pid;
    this.#clock = options.clock;
    this.#ladder = options.ladder;
    this.#leadsGroup = options.leadsGroup;
    // A pipe that breaks says so through `write` and `exited`; without a listener Node would end the host.
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter.on("error", ignore);
    child.stderr.on("data", (chunk: Uint8Array) => this.#onStderr?.(chunk));
    const stdoutEnded = new Promise<void>((resolve) => child.stdout.once("close", resolve));
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#hasExited = true;
        resolve({ code, signal });
        // At once: the group's number is certainly still ours in the turn in which its leader was reaped.
        this.#sweep ??= this.#climb();
      });
    });
    this.drained = this.exited.then((exit) => this.#drain(exit, stdoutEnded));
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(bytes, (error) => {
        if (error) reject(new Error("the pipe to the child is gone"));
        else resolve();
      });
    });
  }

  onStdout(listener: (chunk: Uint8Array) => void): void {
    this.#child.stdout.on("data", listener);
  }

  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#onStderr = listener;
  }

  pauseStdout(): void {
    this.#child.stdout.pause();
  }

  resumeStdout(): void {
    this.#child.stdout.resume();
  }

  async stop(): Promise<{ readonly clean: boolean }> {
    this.#sweep ??= this.#climb();
    const clean = await this.#sweep;
    this.#release();
    return { clean };
  }

  /** Ends everybody at once and waits for nothing: for a host that is going down. */
  kill(): void {
    if (!this.#isGone()) this.#signal("SIGKILL");
  }

  /** The rungs of X6. A rung that finds nobody left is the last. */
  async #climb(): Promise<boolean> {
    if (!this.#hasExited) {
      this.#child.stdin.end();
      await within(this.exited, { clock: this.#clock, ms: this.#ladder.stdinMs });
    }
    if (this.#isGone()) return true;
    this.#signal("SIGTERM");
    if (await this.#goneWithin(this.#ladder.termMs)) return true;
    this.#signal("SIGKILL");
    return this.#goneWithin(this.#ladder.killMs);
  }

  async #goneWithin(ms: number): Promise<boolean> {
    const endMs = this.#clock.monotonicMs() + ms;
    await within(this.exited, { clock: this.#clock, ms });
    for (let pauseMs = FIRST_LOOK_MS; !this.#isGone(); pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
      const leftMs = endMs - this.#clock.monotonicMs();
      if (leftMs <= 0) return false;
      await this.#clock.wait(Math.min(pauseMs, leftMs), { signal: NEVER });
    }
    return true;
  }

  /** Remembers a yes: from then on the group's number may belong to strangers. */
  #isGone(): boolean {
    this.#isGroupGone ||= this.#hasExited && !(this.#leadsGroup && hasLivingMember(this.pid));
    return this.#isGroupGone;
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    if (!this.#leadsGroup) this.#child.kill(signal);
    else if (signalGroup(this.pid, signal) === "gone" && this.#hasExited) this.#isGroupGone = true;
  }

  /**
   * Lets stdout run out after the exit: an answer written right before it is still in the pipe. A survivor
   * that holds the other end is not waited for.
   */
  async #drain(exit: ProcessExit, stdoutEnded: Promise<void>): Promise<ProcessExit> {
    if (this.#child.stdout.readableFlowing === false) this.#child.stdout.resume();
    const isEnded = await within(stdoutEnded, { clock: this.#clock, ms: this.#ladder.drainMs });
    // A host that was busy meanwhile has not read yet: one turn of its event loop delivers what is there.
    if (!isEnded) await new Promise((resolve) => setImmediate(resolve));
    this.#release();
    return exit;
  }

  #release(): void {
    this.#onStderr = undefined;
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.removeAllListeners("data");
    for (const stream of this.#child.stdio) stream?.destroy();
    // What could not be killed must not keep the host alive.
    if (!this.#hasExited) this.#child.unref();
  }
}

const NEVER: AbortSignal = new AbortController().signal;

function ignore(): void {
  // See the constructor.
}
