import { createEventStreamParser } from "../../domain/http/event-stream.ts";
import { createReopenBudget, reopenDelayMs, type ReopenBudget } from "../../domain/http/reopen.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import { CarrierError } from "./carrier.ts";
import { authorizedExchange } from "./http-authorization.ts";
import type { HttpCall } from "./http-call.ts";
import { incomingError, readIncoming } from "./http-incoming.ts";
import { answerLimitBytes, bodyError, sessionError, type HttpLink } from "./http-link.ts";
import { isResumableId, mediaType } from "./http-wire.ts";

/** What is remembered of a call from one of its streams to the next. */
interface Progress {
  /** All bytes of the call so far. */
  bytes: number;
  answered: boolean;
  lastEventId: string;
  retryMs: number | undefined;
  /** Openings in a row that brought neither a message nor a new event id. */
  fruitless: number;
}

/** A subscription is one call that may live for days: only its single events are bounded (H3). */
const LONG_LIVED = "subscriptions/listen";

/** Reads a call's event stream to its answer, resuming it where the era allows that (H3b). */
export async function takeStream(link: HttpLink, call: HttpCall, first: EgressResponse): Promise<void> {
  const progress: Progress = { bytes: 0, answered: false, lastEventId: "", retryMs: undefined, fruitless: 0 };
  const budget = createReopenBudget();
  let response: EgressResponse | undefined = first;
  for (;;) {
    const before = progress.lastEventId;
    const useful = response !== undefined && (await readStream(link, call, { response, progress }));
    if (progress.answered) return;
    progress.fruitless = useful || progress.lastEventId !== before ? 0 : progress.fruitless + 1;
    response = await resume(link, call, { progress, budget });
  }
}

/**
 * Opens a broken stream again after its wait. Answers `undefined` when the network failed, which counts as one
 * fruitless opening.
 */
async function resume(
  link: HttpLink,
  call: HttpCall,
  state: { readonly progress: Progress; readonly budget: ReopenBudget },
): Promise<EgressResponse | undefined> {
  const { lastEventId, retryMs, fruitless } = state.progress;
  const lost = sessionError(link, "response-lost", { stage: call.stage });
  if (call.resumeHeaders === undefined || !isResumableId(lastEventId)) throw lost;
  if (fruitless >= link.limits.resumeAttempts) throw lost;
  // A server that polls a long call may reopen often: it is slowed to the bound, not cut off.
  const allowedMs = state.budget.waitMs(link.clock.nowMs());
  await link.clock.wait(Math.max(reopenDelayMs(retryMs, fruitless), allowedMs), call);
  state.budget.spend(link.clock.nowMs());
  const headers = call.resumeHeaders(lastEventId);
  let response: EgressResponse;
  try {
    response = await authorizedExchange(link, { method: "GET", headers }, call.signal);
  } catch (error) {
    const kind = error instanceof CarrierError ? error.failure.refusal.kind : undefined;
    if (kind === "network") return undefined;
    // The call itself was sent with authorization, and may have had effects: nobody may take it for refused.
    throw kind === "auth" ? lost : error;
  }
  if (response.status === 200 && mediaType(response.header("content-type")) === "text/event-stream") {
    return response;
  }
  response.discard();
  throw lost;
}

/** Reads one stream to its end, its cut, or a bound after the answer. Answers whether a message came. */
async function readStream(
  link: HttpLink,
  call: HttpCall,
  state: { readonly response: EgressResponse; readonly progress: Progress },
): Promise<boolean> {
  const { response, progress } = state;
  const parser = createEventStreamParser({ limitBytes: answerLimitBytes(link, call) });
  const drain = createDrain(link, call);
  let useful = false;
  try {
    for await (const chunk of response.body) {
      if (progress.answered) {
        if (!drain.allows(chunk.length)) break;
        continue;
      }
      progress.bytes += chunk.length;
      checkTotal(link, call, progress.bytes);
      const events = parser.push(chunk);
      if (parser.lastEventId !== "") progress.lastEventId = parser.lastEventId;
      progress.retryMs = parser.retryMs ?? progress.retryMs;
      for (const event of events) {
        if (event.type !== "message" || event.data === "" || progress.answered) continue;
        progress.answered = takeEvent(link, call, event.data);
        useful = true;
      }
      if (progress.answered) drain.start();
      else if (parser.overflowed) throw tooLarge(link, call);
    }
  } catch (error) {
    const failure = bodyError(link, error, call);
    const isCut = failure.failure.refusal.reason === "response-lost" && !(error instanceof CarrierError);
    // After the answer nothing can fail; before it a cut may be resumed.
    if (!progress.answered && !isCut) throw failure;
  } finally {
    drain.stop();
    response.discard();
  }
  return useful;
}

/** Hands one event over. Answers whether it was the call's own answer. */
function takeEvent(link: HttpLink, call: HttpCall, data: string): boolean {
  const incoming = readIncoming(data, call.id);
  if (incoming.kind === "answer") {
    call.answer(incoming.message);
    return true;
  }
  if (incoming.kind !== "server-message") throw incomingError(link, call, incoming);
  // A larger cap is for the answer alone. Units of the text: a lower bound of its bytes.
  if (data.length > link.limits.messageBytes) throw tooLarge(link, call);
  call.forward(incoming.message);
  return false;
}

function checkTotal(link: HttpLink, call: HttpCall, bytes: number): void {
  if (call.method !== LONG_LIVED && bytes > link.limits.callBytes) throw tooLarge(link, call);
}

function tooLarge(link: HttpLink, call: HttpCall): CarrierError {
  return sessionError(link, "response-too-large", { stage: call.stage });
}

/**
 * Bounds what follows an answer: a server ends its stream then, and reading to that end keeps the socket usable
 * for the next call; one that does not is cut.
 */
function createDrain(
  link: HttpLink,
  call: HttpCall,
): { start(): void; allows(bytes: number): boolean; stop(): void } {
  const ended = new AbortController();
  let left = link.limits.drainBytes;
  return {
    start() {
      call.signal.addEventListener("abort", () => ended.abort(), { once: true });
      link.clock.wait(link.limits.drainMs, ended).then(
        () => call.abort(sessionError(link, "closed", { stage: call.stage })),
        () => undefined,
      );
    },
    allows(bytes) {
      left -= bytes;
      return left >= 0;
    },
    stop() {
      ended.abort();
    },
  };
}
