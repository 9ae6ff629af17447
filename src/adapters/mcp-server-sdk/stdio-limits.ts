/** Bounds of one stdio connection. Sizes in bytes. */
export interface StdioServeLimits {
  /** Of one frame that comes in. */
  readonly frameBytes: number;
  /** Of what is read before the session is ready; more waits in the pipe. */
  readonly earlyBytes: number;
  /** Of what waits to be written; over it nothing more is read, and progress is dropped. */
  readonly waitingBytes: number;
  /** Requests that are not answered yet. */
  readonly requests: number;
  readonly subscriptions: number;
}

export const STDIO_SERVE_LIMITS: StdioServeLimits = {
  /** As the client side takes it (X5). */
  frameBytes: 8 * 1024 * 1024,
  /** As much as a pipe holds. */
  earlyBytes: 64 * 1024,
  /** Our choice: some results of an ordinary size. */
  waitingBytes: 1024 * 1024,
  /** Our choice: hosts call a few tools at once, not hundreds. */
  requests: 256,
  /** Our choice: a client needs one. */
  subscriptions: 8,
};
