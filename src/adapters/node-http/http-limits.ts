/** Bounds of a listener (R8). */
export interface HttpLimits {
  readonly bodyLimitBytes: number;
  /** Admitted requests at once, streams included. */
  readonly concurrentRequestsLimit: number;
  readonly connectionsLimit: number;
  /** Target, names and values of a head together. */
  readonly headLimitBytes: number;
  /** From the first byte of a head to its last, and for a connection that says nothing. */
  readonly headTimeoutMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number;
}
