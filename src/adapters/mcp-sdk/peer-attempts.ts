import type { Client } from "@modelcontextprotocol/client";

import type { ElicitationReason } from "../../domain/elicitation/refusal.ts";
import { isJsonObject, type JsonObject } from "../../domain/json-value.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { decodeResult, type ProtocolEra } from "../../domain/session/result.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PeerFailure, PeerProgress, PeerRequestOptions } from "../../ports/mcp-peer.ts";
import type { CallQuestions } from "./call-questions.ts";
import { session } from "./errors.ts";
import { ANY_RESULT, NEVER_MS } from "./sdk-client.ts";
import { RECORD, type RequestRecord } from "./sdk-messages.ts";
import type { ServerWords } from "./server-words.ts";

export interface Wire {
  readonly client: Client;
  readonly clock: Clock;
  readonly serverId: string;
  readonly era: ProtocolEra;
  readonly words: ServerWords;
}

export interface Attempts {
  /** Sends the request, in 2026-07-28 once more for each round of input, each time with an id of its own. */
  run(method: string, params: JsonObject): Promise<Outcome<JsonObject, PeerFailure>>;
  /** When the server last gave a sign of life. */
  readonly lastSignMs: () => number;
}

/** What runs under one deadline: the attempts of one request. */
export function createAttempts(
  wire: Wire,
  options: PeerRequestOptions,
  call: { readonly signal: AbortSignal; readonly questions: CallQuestions | undefined },
): Attempts {
  const { signal, questions } = call;
  let current: Answer | undefined;
  const onQuestion: RequestRecord["onQuestion"] =
    wire.era === "legacy" && questions !== undefined
      ? (method, params, withdrawn) => questions.take(method, params, withdrawn)
      : undefined;

  const send = async (method: string, params: JsonObject): Promise<unknown> => {
    const answer = createAnswer(wire, options.onProgress);
    current = answer;
    const { receiveLimitBytes } = options;
    const record = { ...answer.record, receiveLimitBytes, ...(onQuestion !== undefined && { onQuestion }) };
    await wire.client.request({ method, params: { ...params, [RECORD]: record } }, ANY_RESULT, {
      signal,
      timeout: NEVER_MS,
      // Its presence makes the client send a token, without which no progress comes (fault H7).
      onprogress: () => undefined,
      ...(options.headers !== undefined && { headers: Object.fromEntries(options.headers) }),
    });
    return answer.raw();
  };

  return {
    lastSignMs: () => Math.max(current?.lastSignMs() ?? -Infinity, questions?.lastSignMs() ?? -Infinity),
    async run(method, params) {
      let more: JsonObject = {};
      for (;;) {
        const raw = await send(method, { ...params, ...more });
        const result = decodeResult(raw, wire.era);
        // Whatever the server made of it: nothing that was asked wrongly becomes a result (C7).
        const failure = questions?.failure();
        if (failure !== undefined) return refuse(askedWrongly(failure, wire));
        if (result.ok) return accept(result.value);
        const asks = result.refusal === "input-required" && options.elicit !== undefined;
        if (!asks || questions === undefined || !isJsonObject(raw)) {
          return refuse(session(result.refusal, { serverId: wire.serverId, stage: options.stage }));
        }
        const next = await questions.answer(raw);
        if (!next.ok) return refuse(askedWrongly(next.refusal, wire));
        signal.throwIfAborted();
        more = next.value;
      }
    },
  };
}

export function askedWrongly(reason: ElicitationReason, { serverId }: Pick<Wire, "serverId">): PeerFailure {
  return { refusal: { kind: "elicitation", reason, serverId } };
}

interface Answer {
  readonly record: RequestRecord;
  readonly raw: () => unknown;
  readonly lastSignMs: () => number;
}

/** Collects what comes for one attempt. Only progress that grows counts as a sign of life (fault H8). */
function createAnswer({ clock, words }: Wire, onProgress: PeerRequestOptions["onProgress"]): Answer {
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
