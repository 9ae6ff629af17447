import { McpServeError } from "../../domain/serve/serve-error.ts";
import type { AgentConnection, ConnectionClose } from "../../ports/agent-connection.ts";
import type { AgentSession } from "../../ports/agent-session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ServedAgent } from "../../ports/served-agent.ts";
import { startDeadline } from "./deadline.ts";

/** R3. */
export const START_LIMIT_MS = 15_000;

/** One session over one connection, again and again: attach, start, stop. */
export interface McpTransport<Server> {
  /** Names the session of the next start. Throws a `TypeError` (`already-started`) while one is served. */
  attach(session: AgentSession): void;
  /**
   * Reads the session's tools and serves it. Rejects with an `McpServeError` when they cannot be served, take longer than 15
   * s, or when the connection is over before; with a `TypeError` when no session is attached, or on a second start.
   */
  start(): Promise<void>;
  /** Ends the connection and whatever runs for it. Idempotent; afterwards `attach` comes first again. */
  stop(): Promise<void>;
  /** Resolves with why when the connection is over; at once when there is none. */
  waitForClose(): Promise<ConnectionClose>;
  /** The official server that answers the client; `undefined` until it has said which revision it speaks. */
  getServer(): Server | undefined;
}

interface Run<Server> {
  readonly connection: AgentConnection<Server>;
  readonly agent: ServedAgent;
  /** Settles when everything of this run is cleared away. */
  readonly over: Promise<ConnectionClose>;
}

export function createServedTransport<Server>(parts: {
  /** Loads what opens a connection, which is heavy: once a start, before anything is read. */
  readonly load: () => Promise<() => AgentConnection<Server>>;
  readonly agentOf: (session: AgentSession) => ServedAgent;
  readonly clock: Clock;
}): McpTransport<Server> {
  let session: AgentSession | undefined;
  /** A start that still loads; until then nothing is opened. */
  let opening: Promise<Run<Server> | undefined> | undefined;
  let run: Run<Server> | undefined;
  let last: ConnectionClose = "stopped";

  const begin = (attached: AgentSession, open: () => AgentConnection<Server>): Run<Server> => {
    const agent = parts.agentOf(attached);
    const connection = open();
    const over = connection.closed.then((why) => {
      agent.close();
      last = why;
      run = undefined;
      session = undefined;
      return why;
    });
    return { connection, agent, over };
  };

  const stop = async (): Promise<void> => {
    session = undefined; // Also what a start that still loads looks for.
    if (run === undefined) return;
    const { agent, connection, over } = run;
    agent.close();
    await connection.stop();
    await over;
  };

  const isStarted = (): boolean => run !== undefined || opening !== undefined;

  const start = async (): Promise<void> => {
    if (isStarted()) throw misuse("already-started");
    if (session === undefined) throw misuse("not-attached");
    const attached = session;
    opening = parts
      .load()
      .then((open) => {
        run = session === attached ? begin(attached, open) : undefined;
        return run;
      })
      .finally(() => {
        opening = undefined;
      });
    const started = await opening;
    if (started === undefined) throw new McpServeError("stopped");
    const problem = await firstProblem(started, parts.clock);
    if (problem === undefined) {
      started.connection.serve(started.agent);
      return;
    }
    started.agent.close();
    await started.connection.stop();
    await started.over;
    throw problem;
  };

  const waitForClose = async (): Promise<ConnectionClose> => {
    await opening?.catch(() => undefined); // Whoever started hears of it.
    return run?.over ?? last;
  };

  return {
    attach: (next) => {
      if (isStarted()) throw misuse("already-started");
      session = next;
    },
    start,
    stop,
    waitForClose,
    getServer: () => run?.connection.server(),
  };
}

/** What keeps a session from being served: its tools, the time, or a connection that is over before. */
async function firstProblem<Server>(
  { agent, connection }: Run<Server>,
  clock: Clock,
): Promise<McpServeError | undefined> {
  const ending = new AbortController();
  const deadline = startDeadline(START_LIMIT_MS, { clock, signal: ending.signal });
  const expired = new Promise<McpServeError>((resolve) => {
    deadline.signal.addEventListener("abort", () => resolve(new McpServeError("start-timeout")), {
      once: true,
    });
  });
  try {
    return await Promise.race([
      connection.closed.then((why) => new McpServeError(why)),
      expired,
      agent
        .listTools({ signal: deadline.signal })
        .then((listed) => (listed.ok ? undefined : new McpServeError("catalog", listed.refusal))),
    ]);
  } finally {
    ending.abort(); // Before the deadline lets go of it: tools that are still read are read for nobody.
    deadline.end();
  }
}

const MISUSE = {
  "already-started": "an MCP transport starts once",
  "not-attached": "an MCP transport has a session attached before it starts",
} as const;

function misuse(code: keyof typeof MISUSE): TypeError {
  return Object.assign(new TypeError(MISUSE[code]), { code });
}
