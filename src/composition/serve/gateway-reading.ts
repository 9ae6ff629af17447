import type { CatalogTool } from "../../domain/catalog/catalog.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ServerFailure } from "../host/connections.ts";
import type { McpHost } from "../host/mcp-host.ts";

/** The servers that may be used as things are now. No I/O. */
export function approvedNames(host: Pick<McpHost, "servers">): ReadonlySet<string> {
  const usable = host
    .servers()
    .filter(({ server, approval }) => server.status === "resolved" && approval?.status === "approved");
  return new Set(usable.map(({ server }) => server.name));
}

/** `incomplete`: what could be read of its list is served (K1). */
export type ReadState = "up" | "incomplete" | "down";

/** What came of asking one server; `failure` says why it is down, where the host said so. */
export interface ToolReading {
  readonly state: ReadState;
  readonly tools: readonly CatalogTool[];
  readonly failure?: ServerFailure;
}

const DOWN: ToolReading = { state: "down", tools: [] };

/** Lists the tools of one server. Never rejects: one server's trouble is not the others'. */
export async function listTools(
  host: Pick<McpHost, "catalog">,
  serverId: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<ToolReading> {
  try {
    const { servers, tools } = await host.catalog({ names: [serverId], kinds: ["tools"], signal });
    const [server] = servers;
    if (server?.state === "connected") {
      return { state: server.lists.tools.complete ? "up" : "incomplete", tools: [...tools.values()] };
    }
    return server === undefined ? DOWN : { ...DOWN, failure: server.error };
  } catch {
    // Closed, or a fault of the machine, which the next call tells whoever makes it.
    return DOWN;
  }
}

export interface Reading {
  readonly askedAtMs: number;
  readonly reading: Promise<void> | undefined;
}

/** Waits until all are read, or the last of them had its time. Rejects with `signal.reason` alone. */
export async function untilRead(
  readings: readonly Reading[],
  options: { readonly clock: Clock; readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, patienceMs, signal } = options;
  const untilMs = Math.max(...readings.map(({ askedAtMs }) => askedAtMs)) + patienceMs;
  const leftMs = untilMs - clock.monotonicMs();
  if (leftMs <= 0) return;
  const timer = new AbortController();
  const time = clock.wait(leftMs, { signal: AbortSignal.any([timer.signal, signal]) });
  const running = readings.flatMap(({ reading }) => (reading === undefined ? [] : [reading]));
  try {
    await Promise.race([Promise.all(running), time]);
  } finally {
    timer.abort();
    time.catch(() => undefined);
  }
}
