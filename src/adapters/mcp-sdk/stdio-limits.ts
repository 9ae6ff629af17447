import type { RateLimit } from "./message-rate.ts";

/** What one connection over stdio may cost (X5). */
export interface StdioLimits {
  /** Bytes of one frame, without its newline. Default 8 MiB. */
  readonly frameBytes: number;
  /** Lines that are not JSON-RPC and are skipped; one more fails the connection. Default 100. */
  readonly junkLines: number;
  /**
   * Messages nobody asked for: notifications, the server's own requests, answers to nothing. One costs 1, and
   * 1 more for each 64 KiB. What exceeds it is dropped and counted. Default: 1,000 at once, 200 a second.
   */
  readonly uninvited: RateLimit;
  /** What may be dropped before the connection fails, in the same unit. Default: 20,000, 1,000 a second. */
  readonly dropped: RateLimit;
  /** Our answers to the server's requests that may wait for it to read; then its requests are dropped. Default 32. */
  readonly waitingAnswers: number;
  /** Lines of stderr that reach the sink. Default: 200 at once, 50 a second. */
  readonly stderrLines: RateLimit;
}

export const DEFAULT_STDIO_LIMITS: StdioLimits = {
  frameBytes: 8 * 1_024 * 1_024,
  junkLines: 100,
  uninvited: { burst: 1_000, perSecond: 200 },
  dropped: { burst: 20_000, perSecond: 1_000 },
  waitingAnswers: 32,
  stderrLines: { burst: 200, perSecond: 50 },
};
