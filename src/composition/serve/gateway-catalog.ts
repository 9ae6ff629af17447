import { buildCatalog } from "../../domain/catalog/build.ts";
import type { CatalogTool, ServerCatalog } from "../../domain/catalog/catalog.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ServerFailure } from "../host/connections.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { approvedNames, listTools, untilRead, type ReadState } from "./gateway-reading.ts";

/** How long a client that lists waits for servers that start. Clients give up a request after 10 s (MCP Inspector) to 60 s. */
export const FIRST_LIST_PATIENCE_MS = 8_000;
/** A server that failed is tried again when somebody lists, and no more often. */
export const RETRY_MS = 30_000;
/** How old a look at what is approved may be for a list: every call of a client lists, and the look is a tenth of a call. */
export const LOOK_MS = 250;

export interface ServerNotice {
  readonly serverId: string;
  /** `lost`: it was there, and its tools stay listed for whoever uses them next. `gone`: not approved any more. */
  readonly state: ReadState | "lost" | "gone";
  /** Of one that is down, where the host said why. */
  readonly failure?: ServerFailure;
}

export interface GatewayCatalogOptions {
  readonly host: Pick<McpHost, "servers" | "catalog" | "onCatalogChanged" | "onConnectionChanged">;
  readonly clock: Clock;
  readonly patienceMs?: number;
  /** Is told of each server once a change. */
  readonly onServer?: (notice: ServerNotice) => void;
}

/** The tools of every approved server, each read in its own time: one that hangs or fails costs its own tools. */
export interface GatewayCatalog {
  /** The same list until something changes. Waits for servers that were never listed, within their patience. */
  tools(options: { readonly signal: AbortSignal }): Promise<ReadonlyMap<string, CatalogTool>>;
  onChanged(listener: () => void): () => void;
  /** Looks at what is approved now, and starts reading what is new. */
  refresh(): void;
  /** Lists the server of a tool again, since a call failed as if it were gone. */
  doubt(toolName: string): void;
  close(): void;
}

interface Slot {
  tools: readonly CatalogTool[];
  state: "new" | "lost" | ReadState;
  askedAtMs: number;
  reading: Promise<void> | undefined;
  /** Changed during the reading, which may have been too early for it. */
  again: boolean;
}

export function createGatewayCatalog(options: GatewayCatalogOptions): GatewayCatalog {
  const { host, clock, patienceMs = FIRST_LIST_PATIENCE_MS, onServer = () => undefined } = options;
  const slots = new Map<string, Slot>();
  const listeners = new Set<{ readonly hear: () => void }>();
  const closing = new AbortController();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let joined: ReadonlyMap<string, CatalogTool> | undefined;
  /** What clients were last given, to compare with. `undefined`: nobody has listed. */
  let told: string | undefined;

  const join = (): ReadonlyMap<string, CatalogTool> => {
    joined ??= buildCatalog([...slots].map(([serverId, { tools }]) => toolsAlone(serverId, tools))).tools;
    return joined;
  };
  const changed = (): void => {
    joined = undefined;
    if (told === undefined || closing.signal.aborted) return;
    const now = textOf(join());
    if (now === told) return;
    told = now;
    for (const { hear } of listeners) hear();
  };
  const read = async (serverId: string, slot: Slot): Promise<void> => {
    const { signal } = closing;
    const { state, tools, failure } = await listTools(host, serverId, { signal });
    if (signal.aborted || slots.get(serverId) !== slot) return;
    if (state !== slot.state) onServer({ serverId, state, ...(failure !== undefined && { failure }) });
    slot.state = state;
    slot.tools = tools;
    changed();
  };
  const start = (serverId: string, slot: Slot): void => {
    if (slot.reading !== undefined) {
      slot.again = true;
      return;
    }
    slot.askedAtMs = clock.monotonicMs();
    slot.again = false;
    slot.reading = read(serverId, slot).finally(() => {
      slot.reading = undefined;
      if (slot.again && !closing.signal.aborted) start(serverId, slot);
    });
  };
  const refresh = (): void => {
    if (closing.signal.aborted) return;
    lookedAtMs = clock.monotonicMs();
    const names = approvedNames(host);
    for (const serverId of [...slots.keys()].filter((known) => !names.has(known))) {
      slots.delete(serverId);
      onServer({ serverId, state: "gone" });
      changed();
    }
    for (const serverId of names) {
      const slot = slots.get(serverId);
      if (slot === undefined) {
        const made: Slot = { tools: [], state: "new", askedAtMs: 0, reading: undefined, again: false };
        slots.set(serverId, made);
        start(serverId, made);
      } else if (slot.state !== "up" && slot.reading === undefined && isDue(slot)) start(serverId, slot);
    }
  };
  const isDue = ({ askedAtMs }: Slot): boolean => clock.monotonicMs() - askedAtMs >= RETRY_MS;
  const stopFollowing = host.onCatalogChanged(({ serverId, kind }) => {
    const slot = slots.get(serverId);
    if (kind === "tools" && slot !== undefined) start(serverId, slot);
  });
  const stopWatching = host.onConnectionChanged(({ name, state: { status } }) => {
    const slot = slots.get(name);
    if (slot === undefined || slot.reading !== undefined) return;
    if (status === "failed" && slot.state === "up") {
      slot.state = "lost";
      onServer({ serverId: name, state: "lost" });
    }
    // Tried again by itself, or by a call.
    if (status === "connected" && (slot.state === "lost" || slot.state === "down")) start(name, slot);
  });

  return {
    tools: async ({ signal }) => {
      if (clock.monotonicMs() - lookedAtMs >= LOOK_MS) refresh();
      const due = [...slots.values()].filter(
        ({ state, reading }) => state === "new" && reading !== undefined,
      );
      if (due.length > 0) await untilRead(due, { clock, patienceMs, signal });
      signal.throwIfAborted();
      const tools = join();
      told ??= textOf(tools);
      return tools;
    },
    onChanged: (hear) => {
      const listener = { hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    refresh,
    doubt: (toolName) => {
      const serverId = join().get(toolName)?.serverId ?? "";
      const slot = slots.get(serverId);
      if (slot !== undefined && slot.reading === undefined && isDue(slot)) start(serverId, slot);
    },
    close: () => {
      closing.abort(new DOMException("the gateway was closed", "AbortError"));
      stopFollowing();
      stopWatching();
      listeners.clear();
    },
  };
}

function toolsAlone(serverId: string, tools: readonly CatalogTool[]): ServerCatalog {
  return { serverId, tools, prompts: [], resources: [], rejected: [] };
}

function textOf(tools: ReadonlyMap<string, CatalogTool>): string {
  return JSON.stringify([...tools.values()]);
}
