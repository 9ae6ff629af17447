import type { Client } from "@modelcontextprotocol/client";

import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import { stripReservedMeta } from "../../domain/session/meta.ts";
import type { WaitEnd } from "../../domain/session/refusal.ts";
import { decodeResult, type ProtocolEra } from "../../domain/session/result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer, PeerFailure, PeerProgress, PeerRequestOptions } from "../../ports/mcp-peer.ts";
import { session, translateError } from "./errors.ts";
import { waitForDeadline } from "./peer-deadlines.ts";
import { ANY_RESULT, NEVER_MS } from "./sdk-client.ts";
import { RECORD, type RequestRecord } from "./sdk-messages.ts";
import type { ServerWords } from "./server-words.ts";

/** All that a server learns of why a request was cancelled (C8). */
const NEUTRAL_REASON = "cancelled";

export interface Connection {
  readonly client: Client;
  readonly clock: Clock;
  readonly serverId: string;
  readonly era: ProtocolEra;
  readonly words: ServerWords;
  /** Why the connection ended, once it has. */
  readonly closeFailure: () => PeerFailure | undefined;
  readonly closedByUs: () => boolean;
}

/** Makes the function that sends one request and waits, on our own clocks, for its raw result. */
export function createRequest(connection: Connection): McpPeer["request"] {
  const { client, clock } = connection;
  return async (method, params, options) => {
    options.signal.throwIfAborted();
    const at = { serverId: connection.serverId, stage: options.stage };
    if (connection.closedByUs()) return refuse(session("closed", at));
    const control = new AbortController();
    let ended: WaitEnd | undefined;
    const end = (how: WaitEnd): void => {
      ended ??= how;
      control.abort(NEUTRAL_REASON);
    };
    const onAbort = (): void => end("abort");
    options.signal.addEventListener("abort", onAbort, { once: true });
    const answer = createAnswer(connection, options.onProgress);
    // It rejects only through the abort in `finally` below.
    waitForDeadline(options, { clock, lastSignMs: answer.lastSignMs, signal: control.signal }).then(
      end,
      () => {},
    );
    try {
      await client.request(
        { method, params: { ...stripReservedMeta(params), [RECORD]: answer.record } },
        ANY_RESULT,
        {
          signal: control.signal,
          timeout: NEVER_MS,
          // Its presence makes the client send a token, without which no progress comes (fault H7).
          onprogress: () => undefined,
          ...(options.headers !== undefined && { headers: Object.fromEntries(options.headers) }),
        },
      );
      return readResult(answer.raw(), connection, options);
    } catch (error) {
      if (ended !== undefined) return answerEnded(ended, connection, options);
      // Whatever a carrier calls it, what ended this was our closing; a tool may have acted all the same.
      if (connection.closedByUs())
        return options.stage === "call"
          ? answerEnded("close", connection, options)
          : refuse(session("closed", at));
      const { words } = connection;
      return refuse(translateError(error, { ...at, words, closeFailure: connection.closeFailure() }));
    } finally {
      options.signal.removeEventListener("abort", onAbort);
      control.abort(NEUTRAL_REASON);
    }
  };
}

/** Collects what comes for one request. Only progress that grows counts as a sign of life (fault H8). */
function createAnswer(
  { clock, words }: Connection,
  onProgress: PeerRequestOptions["onProgress"],
): { readonly record: RequestRecord; readonly raw: () => unknown; readonly lastSignMs: () => number } {
  let raw: unknown;
  let signMs = -Infinity;
  let last = -Infinity;
  const record: RequestRecord = {
    onResult: (result) => (raw = result),
    onProgress: (params) => {
      const progress = decodeProgress(params, words);
      if (progress === undefined || progress.progress <= last) return;
      last = progress.progress;
      signMs = clock.monotonicMs();
      try {
        onProgress?.(progress);
      } catch {
        // The host's own fault: it must not end the call.
      }
    },
  };
  return { record, raw: () => raw, lastSignMs: () => signMs };
}

function decodeProgress(params: JsonObject, words: ServerWords): PeerProgress | undefined {
  const { progress, total, message } = params;
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined;
  return {
    progress,
    ...(typeof total === "number" && Number.isFinite(total) && { total }),
    ...(typeof message === "string" && { message: words(message) }),
  };
}

function readResult(
  raw: unknown,
  { serverId, era }: Connection,
  { stage }: PeerRequestOptions,
): Outcome<JsonObject, PeerFailure> {
  const result = decodeResult(raw, era);
  return result.ok ? accept(result.value) : refuse(session(result.refusal, { serverId, stage }));
}

/** The request was sent: a tool may have acted, so its outcome is unknown; a list or a read did nothing (C8). */
function answerEnded(
  ended: WaitEnd,
  { serverId }: Connection,
  options: PeerRequestOptions,
): Outcome<never, PeerFailure> {
  const { stage, timeoutMs, maxTotalMs, signal } = options;
  if (stage !== "call" && ended === "abort") throw signal.reason;
  const limitMs = { abort: undefined, close: undefined, timeout: timeoutMs, "total-timeout": maxTotalMs }[
    ended
  ];
  return refuse({
    refusal: {
      kind: "session",
      reason: stage === "call" ? "outcome-unknown" : "timeout",
      serverId,
      stage,
      ended,
      ...(limitMs !== undefined && { limitMs }),
    },
  });
}
