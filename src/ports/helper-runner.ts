import type { ApprovedLaunch } from "../domain/launch/approved-launch.ts";
import type { AuthReason } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

export type HelperRunReason = Extract<
  AuthReason,
  "helper-failed" | "helper-timeout" | "helper-output-too-large"
>;

export interface HelperRunOptions {
  readonly signal: AbortSignal;
  /** From the start to the exit. Milliseconds. */
  readonly timeoutMs: number;
  /** Of stdout. */
  readonly outputLimitBytes: number;
}

/**
 * For running a headers helper once, to its end, and reading what it printed (U4). Its stdin is empty, its stderr
 * is dropped.
 */
export interface HelperRunner {
  /**
   * Answers stdout of a run that exited with 0. Whatever is answered, nobody of the helper's process group is
   * left by then. Rejects only with `signal.reason`.
   */
  run(launch: ApprovedLaunch, options: HelperRunOptions): Promise<Outcome<Uint8Array, HelperRunReason>>;
}
