import type { ApprovedLaunch } from "../domain/launch/approved-launch.ts";
import type { FileFacts } from "../domain/launch/file-facts.ts";
import type { StdioRefusal } from "../domain/launch/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

export type { FileFacts } from "../domain/launch/file-facts.ts";

export interface ProcessExit {
  /** Exit code, or `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** A child that leads its own process group. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the bytes were handed to the pipe; rejects once the pipe is gone. Honours back-pressure. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * One listener each; chunks arrive in order; called never again after `stop()` resolved. stdout waits for its
   * listener; stderr is drained from the start, listener or not.
   */
  onStdout(listener: (chunk: Uint8Array) => void): void;
  onStderr(listener: (chunk: Uint8Array) => void): void;
  /** Stops reading stdout (back-pressure) and goes on. */
  pauseStdout(): void;
  resumeStdout(): void;
  /** Settles when the child itself has exited, whoever still holds its pipes. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Settles after `exited`, once everything that the child had written to stdout was delivered; a survivor
   * that still holds the pipe delays it by 200 ms at most. Never rejects.
   */
  readonly drained: Promise<ProcessExit>;
  /**
   * End stdin, 2 s, SIGTERM to the group, 2 s, SIGKILL to the group; 6 s at most in all (X6). Begins by itself,
   * at SIGTERM, when the child exits and leaves others of its group behind. `clean`: nobody of the group is
   * left. Idempotent, never rejects.
   */
  stop(): Promise<{ readonly clean: boolean }>;
}

/** For starting exactly the program that was approved, without a shell, and ending all of it. */
export interface ProcessRunner {
  /** Refuses with `stdio/start` when the program cannot be started. Rejects only with `signal.reason`. */
  run(
    launch: ApprovedLaunch,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<RunningProcess, StdioRefusal>>;
}

/** For looking at a path right before it is used. */
export interface FileProbe {
  /** `undefined`: nothing is there, or it may not be looked at. Never rejects. */
  look(path: string): Promise<FileFacts | undefined>;
}
