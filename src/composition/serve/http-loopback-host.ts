import type { WebHandler } from "../../adapters/node-http/web-handler.ts";
import { createSystemRandom } from "../../adapters/system/random.ts";
import { LOOPBACK_ADDRESS, loopbackAuthority, MCP_PATH } from "../../domain/gate/loopback.ts";
import { BEARER_BYTES, createOwnBearer } from "../../domain/gate/own-bearer.ts";
import type { GateAudit } from "./http-audit.ts";
import { HttpLife } from "./http-life.ts";
import { httpLimits, misuse } from "./http-limits.ts";
import { loopbackGate } from "./http-loopback-gate.ts";
import { type ListeningOptions, portOf, type ServedOverHttp } from "./http-served.ts";

export interface McpHttpHostOptions extends ServedOverHttp {
  /** Only `127.0.0.1`, which is the default: everything else is a remote host's. */
  readonly host?: string;
  /** Is told of each refusal: why, and the class of the address, never more (R7). */
  readonly audit?: GateAudit;
}

export interface McpHttpHost extends AsyncDisposable {
  /**
   * Listens, once. `token` is the only way in, and told here alone: clients send it as `Authorization: Bearer`. Rejects
   * with a `McpServeError`; with a `TypeError` (`already-started`) the second time.
   */
  start(): Promise<{ readonly url: string; readonly token: string }>;
  /** Ends every call and stops listening, for good. Idempotent; during a start it ends that. */
  stop(): Promise<void>;
}

/** A loopback host (R4) in front of any handler. Throws a `TypeError` with a code for options that do not hold. */
export function loopbackHost(
  options: ListeningOptions & Pick<McpHttpHostOptions, "host" | "audit" | "random">,
  createHandler: (signal: AbortSignal) => Promise<WebHandler>,
): McpHttpHost {
  const { host = LOOPBACK_ADDRESS, audit, random = createSystemRandom() } = options;
  if (host !== LOOPBACK_ADDRESS) throw misuse("host-not-loopback");
  const port = portOf(options);
  const limits = httpLimits(options.limits);
  const made = createOwnBearer(random.bytes(BEARER_BYTES));
  const { bearer } = made;
  // Given away by `start`, and gone then: nothing here can tell it a second time.
  let token = made.token;
  const life = new HttpLife(async (signal) => {
    const { listenHttp } = await import("../../adapters/node-http/http-listener.ts");
    const handler = await createHandler(signal);
    return listenHttp({
      host,
      port,
      limits,
      handler,
      gateAt: (at) => ({
        gate: loopbackGate({ authority: loopbackAuthority(at), bearer, audit }),
        url: urlOf(at),
      }),
    });
  });
  return {
    start: async () => {
      const listener = await life.start();
      const given = token;
      token = "";
      return { url: urlOf(listener.port), token: given };
    },
    stop: () => life.stop(),
    [Symbol.asyncDispose]: () => life.stop(),
  };
}

function urlOf(port: number): string {
  return new URL(`http://${LOOPBACK_ADDRESS}:${port}${MCP_PATH}`).href;
}
