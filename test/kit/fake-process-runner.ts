import { type ApprovedLaunch, isApprovedLaunch } from "../../src/domain/launch/approved-launch.ts";
import type { StdioRefusal } from "../../src/domain/launch/refusal.ts";
import type { ProcessExit, ProcessRunner, RunningProcess } from "../../src/ports/process-runner.ts";

/** A child as a test plays it. */
export class FakeChild implements RunningProcess {
  readonly pid = 4242;
  readonly exited: Promise<ProcessExit>;
  readonly drained: Promise<ProcessExit>;
  /** Whether `stop` finds nobody left. */
  clean = true;
  /** While set, nothing that is written is taken. */
  isDeaf = false;
  stops = 0;
  #settle: ((exit: ProcessExit) => void) | undefined;
  #onStdin: ((bytes: Uint8Array) => void) | undefined;
  #onStdout: ((chunk: Uint8Array) => void) | undefined;
  #onStderr: ((chunk: Uint8Array) => void) | undefined;
  readonly #held: Uint8Array[] = [];
  readonly #stuck: ((error: Error) => void)[] = [];
  #isGone = false;

  constructor() {
    this.exited = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.drained = this.exited.then(async (exit) => {
      await new Promise((resolve) => setImmediate(resolve));
      return exit;
    });
  }

  // The child's side.

  onStdin(listener: (bytes: Uint8Array) => void): void {
    this.#onStdin = listener;
  }

  print(text: string | Uint8Array): void {
    const chunk = typeof text === "string" ? Buffer.from(text) : text;
    if (this.#onStdout === undefined) this.#held.push(chunk);
    else if (this.stops === 0) this.#onStdout(chunk);
  }

  printError(text: string): void {
    if (this.stops === 0) this.#onStderr?.(Buffer.from(text));
  }

  breakPipe(): void {
    this.#isGone = true;
    for (const reject of this.#stuck.splice(0)) reject(new Error("gone"));
  }

  exit(exit: Partial<ProcessExit> = {}): void {
    this.breakPipe();
    this.#settle?.({ code: 0, signal: null, ...exit });
  }

  // The host's side.

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isGone) return Promise.reject(new Error("gone"));
    if (this.isDeaf) return new Promise((_, reject) => this.#stuck.push(reject));
    this.#onStdin?.(bytes);
    return Promise.resolve();
  }

  onStdout(listener: (chunk: Uint8Array) => void): void {
    this.#onStdout = listener;
    for (const chunk of this.#held.splice(0)) listener(chunk);
  }

  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#onStderr = listener;
  }

  pauseStdout(): void {}

  resumeStdout(): void {}

  async stop(): Promise<{ readonly clean: boolean }> {
    this.stops += 1;
    this.exit({ code: null, signal: "SIGTERM" });
    return { clean: this.clean };
  }
}

export interface FakeProcessRunner extends ProcessRunner {
  readonly launches: ApprovedLaunch[];
  /** When set, the next run is refused with it. */
  refusal: StdioRefusal | undefined;
}

/** Starts nothing: `program` plays each child. */
export function fakeProcessRunner(program: (child: FakeChild) => void = () => undefined): FakeProcessRunner {
  const runner: FakeProcessRunner = {
    launches: [],
    refusal: undefined,
    run: async (launch, { signal }) => {
      if (!isApprovedLaunch(launch)) throw new TypeError("not an approved launch");
      signal.throwIfAborted();
      if (runner.refusal !== undefined) return { ok: false, refusal: runner.refusal };
      runner.launches.push(launch);
      const child = new FakeChild();
      program(child);
      return { ok: true, value: child };
    },
  };
  return runner;
}
