/** For exchanging bytes with the one client at the other end. What it stands on stays open when nobody uses it. */
export interface BytePipe {
  /**
   * The next bytes that came in, `undefined` at the end. Nothing more than a buffer's worth is read before somebody
   * asks. Rejects with the signal's reason when it aborts, and then no byte is lost; with anything else when the
   * input fails. One read at a time.
   */
  read(options: { readonly signal: AbortSignal }): Promise<Uint8Array | undefined>;
  /** Resolves when there is room for more; rejects when the output failed or is closed. */
  write(bytes: Uint8Array): Promise<void>;
  /** Calls once when the output fails or is closed by the other side; answers how to stop listening. */
  onOutputEnd(listener: () => void): () => void;
}
