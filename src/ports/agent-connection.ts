import type { ServedAgent } from "./served-agent.ts";

/** Why a connection is over. */
export type ConnectionClose = "stopped" | "input-ended" | "frame-limit" | "output-failed";

/** For talking with the one client of a served session: read from its first byte on, answered once there is an agent. */
export interface AgentConnection<Server> {
  /** Takes what came in early, and what comes. */
  serve(agent: ServedAgent): void;
  /** The server of the revision that the client speaks; `undefined` until it said so. */
  server(): Server | undefined;
  /** Settles when the connection is over, whether or not it was served. */
  readonly closed: Promise<ConnectionClose>;
  /** Idempotent; resolves when nothing is read or written any more. */
  stop(): Promise<void>;
}
