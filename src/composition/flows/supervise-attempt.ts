import type { Clock } from "../../ports/clock.ts";
import { orAbandon } from "./abandon.ts";
import { startDeadline } from "./deadline.ts";
import type { McpSession } from "./mcp-session.ts";
import type { ConnectionFailure, OpenConnection } from "./supervise-options.ts";
import type { Places } from "./supervise-places.ts";

export type AttemptEnd =
  | { readonly end: "opened"; readonly session: McpSession }
  | { readonly end: "refused"; readonly failure: ConnectionFailure }
  /** A fault of the machine, or of whoever opens: it is theirs to hear who wait. */
  | { readonly end: "threw"; readonly error: unknown };

export interface AttemptPlan {
  readonly serverId: string;
  readonly open: OpenConnection;
  readonly places: Places;
  readonly clock: Clock;
  /** From getting a place to having a session. Milliseconds. */
  readonly attemptMs: number;
  /** What has to be gone first: two children of one server may want one lock, one port, one file. */
  readonly before: Promise<void>;
  readonly signal: AbortSignal;
  /** Told once how it ended, unless it was given up first. Answers whether the session is wanted. */
  readonly onEnd: (end: AttemptEnd) => boolean;
}

/**
 * Runs one attempt to connect. Settles, and never rejects, once nothing of it is left: a session that nobody takes, or
 * that comes after the time was up, is closed by then.
 */
export async function runAttempt(plan: AttemptPlan): Promise<void> {
  const { places, clock, before, signal } = plan;
  await before;
  let leave: () => void;
  try {
    leave = await places.take(signal);
  } catch {
    return; // given up before it began
  }
  const deadline = startDeadline(plan.attemptMs, { clock, signal });
  const opening = openOnce(plan, deadline.signal);
  let end: AttemptEnd | undefined;
  try {
    end = await orAbandon(opening, deadline.signal);
  } catch {
    if (deadline.expired()) plan.onEnd({ end: "refused", failure: timedOut(plan) });
  } finally {
    deadline.end();
    leave();
  }
  if (end !== undefined && plan.onEnd(end)) return;
  const late = end ?? (await opening);
  if (late.end === "opened") await late.session.close().catch(() => undefined);
}

async function openOnce({ serverId, open }: AttemptPlan, signal: AbortSignal): Promise<AttemptEnd> {
  try {
    signal.throwIfAborted();
    const opened = await open(serverId, { signal });
    return opened.ok ? { end: "opened", session: opened.value } : { end: "refused", failure: opened.refusal };
  } catch (error) {
    return { end: "threw", error };
  }
}

function timedOut({ serverId, attemptMs: limitMs }: AttemptPlan): ConnectionFailure {
  const stage = "connect";
  return { refusal: { kind: "session", reason: "timeout", serverId, stage, ended: "timeout", limitMs } };
}
