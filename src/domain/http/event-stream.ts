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
/** How far a line's end is looked for by hand: a native search costs as much as 50 bytes of that, and most lines are short. */
const NEAR_BYTES = 64;
/** Texts up to this are put together by hand. */
const SHORT_BYTES = 16;
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

  const textOf = (line: Uint8Array, from: number): string =>
    shortText(line, from) ?? decoder.decode(line.subarray(from));

  const takeField = (line: Uint8Array): void => {
    block.bytes += line.length;
    const name = FIELDS.get(line[0]);
    if (name === undefined || !isNamed(line, name)) return;
    const colon = name.length;
    const skip = line[colon + 1] === SPACE ? 2 : 1;
    const value = colon === line.length ? "" : textOf(line, colon + skip);
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

  /** Whether a line says nothing, and costs nothing then: a stream may be kept alive with millions of them. */
  const isIdle = (chunk: Uint8Array, from: number, end: number): boolean => {
    if (atStart || pending.length > 0) return false;
    return end === from ? block.bytes === 0 : chunk[from] === COLON;
  };

  const push = (chunk: Uint8Array): readonly StreamEvent[] => {
    const events: StreamEvent[] = [];
    if (overflowed || chunk.length === 0) return events;
    let from = skipLf && chunk[0] === LF ? 1 : 0;
    skipLf = false;
    const endOf = createLineEnds(chunk);
    for (let end = endOf(from); end !== -1; end = endOf(from)) {
      if (!isIdle(chunk, from, end) && !takeLine(chunk.subarray(from, end), events)) return events;
      from = end + 1;
      if (chunk[end] !== CR) continue;
      if (from === chunk.length) skipLf = true;
      else if (chunk[from] === LF) from += 1;
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

/** By their first letters, which differ. */
const FIELDS = new Map<number | undefined, "data" | "event" | "id" | "retry">([
  [0x64, "data"],
  [0x65, "event"],
  [0x69, "id"],
  [0x72, "retry"],
]);

function isNamed(line: Uint8Array, name: string): boolean {
  if (line.length < name.length || (line.length > name.length && line[name.length] !== COLON)) return false;
  for (let at = 1; at < name.length; at += 1) if (line[at] !== name.charCodeAt(at)) return false;
  return true;
}

/** A few letters of ASCII, for which a decoder costs ten times as much; `undefined` for anything else. */
function shortText(line: Uint8Array, from: number): string | undefined {
  if (line.length - from > SHORT_BYTES) return undefined;
  let text = "";
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at] ?? 0;
    if (byte > 0x7f) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Answers where the line ends that begins at a place, or -1. Asked for places in their order. */
function createLineEnds(chunk: Uint8Array): (from: number) => number {
  // Searched again only once passed: a stream without CR is searched for it once a chunk.
  let cr = -2;
  let lf = -2;
  return (from) => {
    const near = Math.min(from + NEAR_BYTES, chunk.length);
    for (let at = from; at < near; at += 1) if (chunk[at] === LF || chunk[at] === CR) return at;
    if (near === chunk.length) return -1;
    if (cr !== -1 && cr < near) cr = chunk.indexOf(CR, near);
    if (lf !== -1 && lf < near) lf = chunk.indexOf(LF, near);
    return cr === -1 ? lf : lf === -1 ? cr : Math.min(cr, lf);
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
