import { refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { McpSession } from "./mcp-session.ts";
import type { ConnectionFailure } from "./supervise-options.ts";

/** What a caller gets: a session, or why there is none. Rejects with what `open` threw. */
export type ConnectAnswer = Promise<Outcome<McpSession, ConnectionFailure>>;

/** Those who wait for one attempt, however many they are. */
export interface Waiters {
  readonly answer: ConnectAnswer;
  readonly settle: (answer: ConnectAnswer) => void;
}

export function createWaiters(): Waiters {
  const waiting: { settle: Waiters["settle"] | undefined } = { settle: undefined };
  const answer: ConnectAnswer = new Promise((resolve) => {
    waiting.settle = resolve;
  });
  // Nobody may be waiting, as after a timer: what is thrown then must not end the process.
  answer.catch(() => undefined);
  return { answer, settle: (come) => waiting.settle?.(come) };
}

/** Nobody will connect any more, or the connect was given up. */
export function closedAnswer(serverId: string): ConnectAnswer {
  return refusedAnswer({ refusal: { kind: "session", reason: "closed", serverId, stage: "connect" } });
}

export function refusedAnswer(failure: ConnectionFailure): ConnectAnswer {
  return Promise.resolve(refuse(failure));
}

/** Hands a fault on as it is: it is of the machine, or of whoever opens. */
export async function thrownAnswer(error: unknown): Promise<never> {
  throw error;
}
