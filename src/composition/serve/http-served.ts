import { misuse } from "./http-limits.ts";
import type { HttpLimits } from "../../adapters/node-http/http-limits.ts";
import type { AgentSession } from "../../ports/agent-session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";

/** What both HTTP hosts take: the session, how it is told to clients, and bounds. */
export interface ServedOverHttp {
  /** How the server names itself to clients. */
  readonly name: string;
  readonly version: string;
  readonly session: AgentSession;
  /** Renames the tool that submits a turn; `false` leaves it out. */
  readonly submitTool?: { readonly name: string; readonly description: string } | false;
  /** Lets an invocation ask the client it came from, where that client can be asked (R10). Default `false`. */
  readonly askClient?: boolean;
  /** 0–65,535. Default 0: a free one. */
  readonly port?: number;
  /** Each replaces one default (R8). */
  readonly limits?: Partial<HttpLimits>;
  /** Replaces the machine's clock and chance. */
  readonly parts?: { readonly clock?: Clock; readonly random?: Random };
}

/** Throws a `TypeError` with the code `port-invalid`. */
export function portOf({ port = 0 }: Pick<ServedOverHttp, "port">): number {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw misuse("port-invalid");
  return port;
}
