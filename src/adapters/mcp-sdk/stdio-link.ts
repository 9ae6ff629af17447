import type { StdioRefusal } from "../../domain/launch/refusal.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RunningProcess } from "../../ports/process-runner.ts";
import type { ServerWords } from "./server-words.ts";
import type { StdioLimits } from "./stdio-limits.ts";
import type { StderrReader, StderrReport } from "./stdio-stderr.ts";

/** What an adapter gives to one carrier. */
export interface StdioLink {
  /** Checks once more what admission checked (X3). Called once, right before {@link StdioLink.spawn}. */
  readonly recheck: () => Promise<Outcome<true, StdioRefusal>>;
  /** Starts the child. Settles soon, whatever the child does. */
  readonly spawn: (signal: AbortSignal) => Promise<Outcome<RunningProcess, StdioRefusal>>;
  readonly clock: Clock;
  readonly limits: StdioLimits;
  /** What cancelling a request does (X6). */
  readonly cancel: "close" | "notify";
  readonly stderr: StderrReader;
  readonly words: ServerWords;
}

/** What a connection did besides its messages. Numbers only: nothing of the server's text. */
export interface StdioReport {
  readonly stderr: StderrReport;
  /** Lines on stdout that were not JSON-RPC. */
  readonly junkLines: number;
  /** Messages nobody asked for that were over the rate, or could not be answered. */
  readonly droppedMessages: number;
  /** Answers to ids that nobody waits for. */
  readonly unknownAnswers: number;
}
