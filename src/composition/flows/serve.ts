import { writeJson } from "../../domain/catalog/json-text.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { AgentTool } from "../../domain/serve/agent.ts";
import { withoutReservedKeys } from "../../domain/serve/caller-meta.ts";
import { listedTools } from "../../domain/serve/check-catalog.ts";
import { failureAnswer } from "../../domain/serve/envelope.ts";
import type { ServedCatalogRefusal } from "../../domain/serve/refusal.ts";
import type { SubmitToolName } from "../../domain/serve/submit-tool.ts";
import { sha256Hex } from "../../domain/sha256.ts";
import type { AgentSession, InvocationOptions } from "../../ports/agent-session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { ServedAgent, ServedAnswer, ServedCall } from "../../ports/served-agent.ts";
import { checkedAsk, createAsk } from "./serve-ask.ts";
import { createConversation, type Conversation } from "./serve-conversation.ts";
import { createRounds } from "./serve-rounds.ts";
import { invokeTool, readCatalog, type SessionServing } from "./serve-session.ts";

/**
 * Our choice: four times the requests that a listener serves at once (R8), so that no client meets it while the session
 * minds its signals, and little enough that one that does not ends in refusals and not in memory.
 */
export const INVOCATIONS_LIMIT = 64;

export interface ServedAgentOptions {
  readonly session: AgentSession;
  /** Left out: no turn can be submitted. */
  readonly submitTool?: SubmitToolName | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Invocations at once, those that wait for their client included. Default {@link INVOCATIONS_LIMIT}. */
  readonly invocationsLimit?: number | undefined;
}

/** Serves one session to any number of clients (R1, R2, R10). Closing it ends whatever runs. */
export function createServedAgent(options: ServedAgentOptions): ServedAgent {
  const { session, submitTool, clock, random, invocationsLimit = INVOCATIONS_LIMIT } = options;
  const serving: SessionServing = { session, submitTool };
  const rounds = createRounds({ clock, random, invocationsLimit });
  /** Until the session's own promise settles: whoever left or cancelled, what it still does is still done. */
  const running = new Set<Conversation>();
  let isClosed = false;

  const askingOf = (
    { asking }: ServedCall,
    conversation: Conversation,
  ): { readonly ask: NonNullable<InvocationOptions["ask"]>; readonly end: () => void } | undefined => {
    if (asking.kind === "none") return undefined;
    // A call that ends takes its prompts with it, and leaves what the session does with its own signal alone.
    const over = new AbortController();
    const signal = AbortSignal.any([conversation.ending.signal, over.signal]);
    const askForm = asking.kind === "during" ? checkedAsk(asking.ask) : rounds.askFormOf(conversation);
    return { ask: createAsk(askForm, { signal }), end: () => over.abort() };
  };

  const begin = (call: ServedCall): Promise<ServedAnswer> => {
    if (running.size >= invocationsLimit) {
      return Promise.resolve({ kind: "answer", answer: failureAnswer("busy") });
    }
    const conversation = createConversation({ caller: call.caller, call: callKey(call) });
    const answered = conversation.attend(call);
    const { ending, progress } = conversation;
    if (ending.signal.aborted) return answered;
    running.add(conversation);
    const asking = askingOf(call, conversation);
    const meta = withoutReservedKeys(call.meta);
    const options: InvocationOptions = {
      signal: ending.signal,
      onProgress: progress,
      ...(asking !== undefined && { ask: asking.ask }),
      ...(meta !== undefined && { meta }),
    };
    void invokeTool(serving, { toolName: call.toolName, args: call.args, options }).then((invoked) => {
      running.delete(conversation);
      asking?.end();
      conversation.deliver({ kind: "answer", ...invoked });
    });
    return answered;
  };

  const goOn = (call: ServedCall, round: NonNullable<ServedCall["round"]>): Promise<ServedAnswer> => {
    const found = rounds.take(round.state, { caller: call.caller, call: callKey(call) });
    if (found === undefined) return Promise.resolve({ kind: "unknown-state" });
    const answered = found.conversation.attend(call);
    found.say(round.said);
    return answered;
  };

  return {
    listTools: async ({ signal }): Promise<Outcome<readonly AgentTool[], ServedCatalogRefusal>> => {
      const catalog = await readCatalog(serving, { signal });
      return catalog.ok ? listedTools(catalog.value) : catalog;
    },
    call: (call) => {
      if (isClosed) return Promise.resolve({ kind: "answer", answer: failureAnswer("cancelled") });
      return call.round === undefined ? begin(call) : goOn(call, call.round);
    },
    ...(session.onToolsChanged !== undefined && {
      onToolsChanged: (listener: () => void) => session.onToolsChanged?.(listener) ?? (() => undefined),
    }),
    close: () => {
      isClosed = true;
      rounds.close();
      for (const { ending, deliver } of running) {
        ending.abort();
        deliver({ kind: "answer", answer: failureAnswer("cancelled") });
      }
    },
  };
}

/** What a state is bound to besides its caller: with it another call would answer what that one was never asked. */
function callKey({ toolName, args, asking, round }: ServedCall): string {
  if (asking.kind !== "rounds" && round === undefined) return "";
  return sha256Hex(writeJson([toolName, args], { keys: "sorted", layout: "compact" }));
}
