import type { Clock } from "../../ports/clock.ts";
import type { McpSession } from "./mcp-session.ts";

/** How much a session is used. */
export interface Uses {
  /** Requests that were not answered yet, and a subscription that is open (V5). */
  inFlight(): number;
  /** When it was used last: handed out, or answered. Monotonic milliseconds. */
  readonly lastMs: number;
  /** Notes a use that is no request: somebody was given the session, and is about to ask. */
  touch(): void;
}

export interface WatchedSession {
  /** The same session; everything that it is asked through this one is counted. */
  readonly session: McpSession;
  readonly uses: Uses;
}

/**
 * Counts what is in flight on a session. What is not counted here goes straight to the session, by its prototype: what
 * it learns to do later is not lost on the way.
 */
export function watchUses(
  session: McpSession,
  { clock, usedMs }: { readonly clock: Clock; /** The last use so far. */ readonly usedMs: number },
): WatchedSession {
  let requests = 0;
  let lastMs = usedMs;
  const over = (): void => {
    requests -= 1;
    lastMs = clock.monotonicMs();
  };
  const counted = <Answer>(request: Promise<Answer>): Promise<Answer> => {
    requests += 1;
    void request.then(over, over);
    return request;
  };
  const { skills } = session;
  const counting: Pick<McpSession, "discover" | "callTool" | "getPrompt" | "readResource" | "skills"> = {
    discover: (options) => counted(session.discover(options)),
    callTool: (name, args, call) => counted(session.callTool(name, args, call)),
    getPrompt: (name, args, call) => counted(session.getPrompt(name, args, call)),
    readResource: (uri, call) => counted(session.readResource(uri, call)),
    skills: skills && {
      list: (options) => counted(skills.list(options)),
      get: (uri, options) => counted(skills.get(uri, options)),
      read: (entry, fileUri, options) => counted(skills.read(entry, fileUri, options)),
    },
  };
  const watched: McpSession = Object.create(session, Object.getOwnPropertyDescriptors(counting));
  return {
    session: watched,
    uses: {
      inFlight: () => requests + (hasSubscription(session) ? 1 : 0),
      get lastMs() {
        return lastMs;
      },
      touch: () => {
        lastMs = clock.monotonicMs();
      },
    },
  };
}

/** In 2026-07-28 what is pushed comes by a subscription; in the older era a stream that is open is none. */
function hasSubscription({ server, listPush }: McpSession): boolean {
  return server.era === "modern" && (listPush === "open" || listPush === "waiting");
}

/** Resolves with `true` once a session was unused for `idleMs` (V5), or with `false` when the signal aborts before. */
export async function whenUnused(
  uses: Uses,
  { idleMs, clock, signal }: { readonly idleMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  if (idleMs === Infinity) return false;
  // One timer a connection and none a call: it looks at the time of the last use when it is up.
  let waitMs = Math.max(0, idleMs - (clock.monotonicMs() - uses.lastMs));
  for (;;) {
    try {
      await clock.wait(waitMs, { signal });
    } catch {
      return false; // only the signal ends a wait early
    }
    const unusedMs = clock.monotonicMs() - uses.lastMs;
    if (uses.inFlight() === 0 && unusedMs >= idleMs) return true;
    waitMs = uses.inFlight() > 0 ? idleMs : idleMs - unusedMs;
  }
}
