/** One event of a `text/event-stream` that has data. */
export interface StreamEvent {
  /** `message` unless the stream named another. */
  readonly type: string;
  readonly data: string;
}

export interface EventStreamParser {
  /** Takes the next bytes, cut anywhere, and answers the events they complete. */
  push(chunk: Uint8Array): readonly StreamEvent[];
  /** An event or a line ran over the limit. Nothing is taken any more: the stream is to be given up. */
  readonly overflowed: boolean;
  /** The last `retry:` in milliseconds, if there was one. */
  readonly retryMs: number | undefined;
  /** The last event id that a completed block set; empty when there is none. */
  readonly lastEventId: string;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const KEPT_BYTES = 65_536;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
/** More digits than any wait needs; longer ones are not numbers that a clock takes. */
const RETRY_DIGITS = /^[0-9]{1,15}$/;

/**
 * Parses server-sent events as the HTML standard (9.2.6) says: LF, CR and CRLF end a line, one byte order
 * mark is skipped, comments are, an id with NUL is ignored, and a block cut by the end of the stream is lost.
 *
 * Lines are cut in bytes and decoded whole, so that a character split over two chunks survives. One event may
 * take `limitBytes` of field lines (H3), line ends and comments not counted; the work is linear in the input.
 */
export function createEventStreamParser(limits: { readonly limitBytes: number }): EventStreamParser {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pending = createLineBuffer();
  let block = { type: "", data: [] as string[], bytes: 0 };
  let atStart = true;
  let skipLf = false;
  let overflowed = false;
  let retryMs: number | undefined;
  let lastEventId = "";
  let id = "";

  const takeField = (line: Uint8Array): void => {
    block.bytes += line.length;
    const colon = line.indexOf(COLON);
    const name = decoder.decode(colon === -1 ? line : line.subarray(0, colon));
    const skip = line[colon + 1] === SPACE ? 2 : 1;
    const value = colon === -1 ? "" : decoder.decode(line.subarray(colon + skip));
    if (name === "data") block.data.push(value);
    else if (name === "event") block.type = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && RETRY_DIGITS.test(value)) retryMs = Number(value);
  };

  const endBlock = (events: StreamEvent[]): void => {
    lastEventId = id;
    const { type, data } = block;
    if (data.length > 0) events.push({ type: type === "" ? "message" : type, data: data.join("\n") });
    block = { type: "", data: [], bytes: 0 };
  };

  /** Answers whether the block is still within its limit. */
  const takeLine = (tail: Uint8Array, events: StreamEvent[]): boolean => {
    const whole = pending.take(tail);
    const line =
      atStart && BYTE_ORDER_MARK.every((byte, at) => whole[at] === byte) ? whole.subarray(3) : whole;
    atStart = false;
    if (line.length === 0) endBlock(events);
    else if (line[0] !== COLON) takeField(line);
    overflowed = block.bytes > limits.limitBytes;
    return !overflowed;
  };

  const push = (chunk: Uint8Array): readonly StreamEvent[] => {
    const events: StreamEvent[] = [];
    if (overflowed || chunk.length === 0) return events;
    let from = skipLf && chunk[0] === LF ? 1 : 0;
    skipLf = false;
    let cr = chunk.indexOf(CR, from);
    let lf = chunk.indexOf(LF, from);
    while (cr !== -1 || lf !== -1) {
      const end = cr === -1 ? lf : lf === -1 ? cr : Math.min(cr, lf);
      if (!takeLine(chunk.subarray(from, end), events)) return events;
      from = end + 1;
      if (end === cr && from === chunk.length) skipLf = true;
      if (end === cr && chunk[from] === LF) from += 1;
      // Searched again only once passed: a stream without CR is searched for it once a chunk.
      if (cr !== -1 && cr < from) cr = chunk.indexOf(CR, from);
      if (lf !== -1 && lf < from) lf = chunk.indexOf(LF, from);
    }
    if (from === chunk.length) return events;
    pending.add(chunk.subarray(from));
    overflowed = block.bytes + pending.length > limits.limitBytes;
    return events;
  };

  return {
    push,
    get overflowed() {
      return overflowed;
    },
    get retryMs() {
      return retryMs;
    },
    get lastEventId() {
      return lastEventId;
    },
  };
}

interface LineBuffer {
  readonly length: number;
  add(bytes: Uint8Array): void;
  /** The kept bytes and `tail`, valid until the next call; empties the buffer. */
  take(tail: Uint8Array): Uint8Array;
}

/** Grows by doubling: a line that arrives byte by byte costs no object a byte, and is copied a bounded number of times. */
function createLineBuffer(): LineBuffer {
  let bytes = new Uint8Array(0);
  let used = 0;
  const add = (more: Uint8Array): void => {
    if (used + more.length > bytes.length) {
      const grown = new Uint8Array(Math.max(1_024, bytes.length * 2, used + more.length));
      grown.set(bytes.subarray(0, used));
      bytes = grown;
    }
    bytes.set(more, used);
    used += more.length;
  };
  return {
    get length() {
      return used;
    },
    add,
    take(tail) {
      if (used === 0) return tail;
      add(tail);
      const line = bytes.subarray(0, used);
      used = 0;
      // A long line's room is not kept for the life of a stream that may last days.
      if (bytes.length > KEPT_BYTES) bytes = new Uint8Array(0);
      return line;
    },
  };
}
