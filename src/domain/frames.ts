const NEWLINE = 0x0a;
/** A buffer that grew beyond this for one long frame is given back after it. */
const KEPT_BYTES = 65_536;

/**
 * Cuts a byte stream into lines (X5). Bytes are split at 0x0A before anything is decoded, so that half a
 * character at a chunk's end is never looked at; the cap is on one frame, not on what one chunk holds (E16).
 * Each byte is copied a bounded number of times, whatever the sizes of the chunks.
 */
export class FrameSplitter {
  readonly #limitBytes: () => number;
  #pending: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** `limitBytes` is asked for each frame: it grows while something large is awaited. */
  constructor(limitBytes: () => number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Takes one chunk and hands out each frame that it completes, without the newline. A frame is valid only
   * during the call. Answers `too-long` as soon as a frame exceeds the cap, complete or not.
   */
  push(chunk: Uint8Array, onFrame: (frame: Uint8Array) => void): "ok" | "too-long" {
    let start = 0;
    for (;;) {
      // Anew for each frame: the one before may have been what the limit had grown for.
      const limitBytes = this.#limitBytes();
      const end = chunk.indexOf(NEWLINE, start);
      const isComplete = end >= 0;
      const part = chunk.subarray(start, isComplete ? end : chunk.length);
      if (this.#length + part.length > limitBytes) return "too-long";
      if (!isComplete) {
        this.#append(part);
        return "ok";
      }
      onFrame(this.#completed(part));
      start = end + 1;
    }
  }

  #completed(part: Uint8Array): Uint8Array {
    if (this.#length === 0) return part;
    this.#append(part);
    const frame = this.#pending.subarray(0, this.#length);
    this.#length = 0;
    if (this.#pending.length > KEPT_BYTES) this.#pending = new Uint8Array(0);
    return frame;
  }

  #append(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#pending.length) {
      const grown = new Uint8Array(Math.max(length, this.#pending.length * 2));
      grown.set(this.#pending.subarray(0, this.#length));
      this.#pending = grown;
    }
    this.#pending.set(part, this.#length);
    this.#length = length;
  }
}
