import type { ApprovedLaunch } from "../domain/launch/approved-launch.ts";
import type { StdioRefusal } from "../domain/launch/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

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
  /** One listener each; chunks arrive in order; called never again after `stop()` resolved. */
  onStdout(listener: (chunk: Uint8Array) => void): void;
  onStderr(listener: (chunk: Uint8Array) => void): void;
  /** Stops reading stdout (back-pressure) and goes on. */
  pauseStdout(): void;
  resumeStdout(): void;
  /** Settles when the child itself has exited, whoever still holds its pipes. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** End stdin, 2 s, SIGTERM to the group, 2 s, SIGKILL to the group; 6 s at most in all (X6). Idempotent. */
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

export interface FileFacts {
  /** Canonical path, every symbolic link resolved. */
  readonly realPath: string;
  readonly kind: "file" | "folder" | "other";
  /** Whether this process may execute it (files), or enter it (folders). */
  readonly executable: boolean;
}

/** For looking at a path right before it is used. */
export interface FileProbe {
  /** `undefined`: nothing is there, or it may not be looked at. */
  look(path: string): Promise<FileFacts | undefined>;
}
