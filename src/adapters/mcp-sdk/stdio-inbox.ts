import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

import { type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { FrameSplitter } from "../../domain/frames.ts";
import type { StdioLimits } from "./stdio-limits.ts";
import { readMessage } from "./stdio-message.ts";
import { type TokenBucket, createTokenBucket, saysListChanged } from "./message-rate.ts";

/** Who gets what the child said. */
export interface InboxReader {
  /** Whether anybody still reads: a frame may end the connection while others of its chunk wait. */
  readonly isOpen: () => boolean;
  readonly isAwaited: (id: RequestId) => boolean;
  /** Bytes that the answer to this request may take, or the largest answer awaited; 0 for no more than any other. */
  readonly answerLimitBytes: (id?: RequestId) => number;
  /** Whether an answer of ours would find room (see `StdioLimits.waitingAnswers`). */
  readonly canAnswer: () => boolean;
  readonly onAnswer: (id: RequestId, message: JSONRPCMessage) => void;
  /** The answer came and is none: it will not come again. */
  readonly onBrokenAnswer: (id: RequestId) => void;
  readonly onUninvited: (message: JSONRPCMessage) => void;
  /** The connection is no use any more. */
  readonly onLimit: (refusal: StdioRefusal) => void;
}

const BYTES_A_TOKEN = 65_536;

/** Turns the child's stdout into messages, within the bounds of X5. Answers that somebody waits for always pass. */
export class StdioInbox {
  readonly #limits: StdioLimits;
  readonly #reader: InboxReader;
  readonly #frames: FrameSplitter;
  readonly #uninvited: TokenBucket;
  readonly #patience: TokenBucket;
  #junkLines = 0;
  #droppedMessages = 0;
  #unknownAnswers = 0;

  constructor(
    reader: InboxReader,
    { limits, clock }: { readonly limits: StdioLimits; readonly clock: Clock },
  ) {
    this.#limits = limits;
    this.#reader = reader;
    this.#frames = new FrameSplitter(() => Math.max(limits.frameBytes, reader.answerLimitBytes()));
    this.#uninvited = createTokenBucket(limits.uninvited, clock);
    this.#patience = createTokenBucket(limits.dropped, clock);
  }

  counts(): {
    readonly junkLines: number;
    readonly droppedMessages: number;
    readonly unknownAnswers: number;
  } {
    return {
      junkLines: this.#junkLines,
      droppedMessages: this.#droppedMessages,
      unknownAnswers: this.#unknownAnswers,
    };
  }

  receive(chunk: Uint8Array): void {
    if (!this.#reader.isOpen()) return;
    const result = this.#frames.push(chunk, (frame) => {
      if (this.#reader.isOpen()) this.#take(frame);
    });
    if (result === "too-long" && this.#reader.isOpen()) {
      this.#reader.onLimit(stdioRefusal("receive-limit", "frame"));
    }
  }

  #take(frame: Uint8Array): void {
    // Some servers end a frame with two newlines. Nothing was said, so nothing is counted.
    if (isBlank(frame)) return;
    const incoming = readMessage(frame);
    // A larger frame is let through for one answer alone (S4).
    if (frame.length > this.#limits.frameBytes && !this.#isLargeAnswer(frame, incoming)) {
      this.#reader.onLimit(stdioRefusal("receive-limit", "frame"));
      return;
    }
    if (incoming === undefined || incoming.kind === "broken-answer") {
      this.#junkLines += 1;
      if (this.#junkLines > this.#limits.junkLines) {
        this.#reader.onLimit(stdioRefusal("receive-invalid", "junk-lines"));
      } else if (incoming !== undefined && this.#reader.isAwaited(incoming.id)) {
        this.#reader.onBrokenAnswer(incoming.id);
      }
      return;
    }
    const { kind, message } = incoming;
    if (kind === "answer" && this.#reader.isAwaited(incoming.id)) {
      this.#reader.onAnswer(incoming.id, message);
      return;
    }
    if (!this.#isAffordable(frame.length)) {
      if (saysListChanged(message) && this.#reader.isOpen()) this.#reader.onUninvited(message);
      else this.#droppedMessages += 1;
      return;
    }
    if (kind === "answer") this.#unknownAnswers += 1;
    // A server that asks and does not read the answers would fill our memory with them.
    else if (kind === "request" && !this.#reader.canAnswer()) this.#droppedMessages += 1;
    else this.#reader.onUninvited(message);
  }

  #isLargeAnswer(frame: Uint8Array, incoming: ReturnType<typeof readMessage>): boolean {
    return incoming?.kind === "answer" && frame.length <= this.#reader.answerLimitBytes(incoming.id);
  }

  /** Weighs a message that nobody asked for; a server that goes on over the rate loses the connection. */
  #isAffordable(bytes: number): boolean {
    const cost = 1 + bytes / BYTES_A_TOKEN;
    if (this.#uninvited.take(cost)) return true;
    if (!this.#patience.take(cost)) this.#reader.onLimit(stdioRefusal("receive-limit", "flood"));
    return false;
  }
}

const CARRIAGE_RETURN = 0x0d;

function isBlank(frame: Uint8Array): boolean {
  return frame.length === 0 || (frame.length === 1 && frame[0] === CARRIAGE_RETURN);
}
