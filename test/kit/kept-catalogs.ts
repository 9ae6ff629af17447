import {
  createCatalogReader,
  type CatalogChange,
  type CatalogReader,
  type CatalogReaderOptions,
} from "../../src/composition/host/catalog-reader.ts";
import type { ListedSession } from "../../src/composition/host/listed-session.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { ListState } from "../../src/domain/catalog/catalog.ts";
import type { ListKind } from "../../src/domain/catalog/list-kind.ts";
import { REFRESH_LIMITS } from "../../src/domain/freshness/limits.ts";
import { FakePeer } from "./fake-peer.ts";
import { fakeSessionOptions, settle } from "./fake-sessions.ts";
import { WatchedClock } from "./watched-clock.ts";

/** Says something to a list instead of an answer. */
export type Served = Readonly<Record<string, unknown>> | "never" | "broken";

export interface KeptWorld {
  readonly peer: FakePeer;
  readonly clock: WatchedClock;
  readonly reader: CatalogReader;
  readonly changes: readonly CatalogChange[];
  /** What the server answers to `tools/list` from now on; `tools("a")` makes one. */
  served: Served;
  /** How often tools were asked for. */
  readonly asked: () => number;
  /** Has the server announce that its tools changed, and lets what is due run. */
  readonly announce: () => Promise<void>;
  readonly open: () => McpSession;
  readonly read: (session: McpSession, kinds?: readonly ListKind[]) => Promise<ListedSession>;
}

export function tools(...names: readonly string[]): Readonly<Record<string, unknown>> {
  return { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) };
}

export function namesOf({ catalog }: ListedSession): readonly string[] {
  return catalog.tools.map(({ sourceName }) => sourceName);
}

export function stateOf({ state }: ListedSession): ListState | undefined {
  return state.state === "connected" ? state.lists.tools : undefined;
}

/** One reader over one fake server with tools and prompts, which announces changes of its tools. */
export function keptWorld(options: Partial<CatalogReaderOptions> = {}): KeptWorld {
  const changes: CatalogChange[] = [];
  const clock = new WatchedClock();
  const world: { served: Served } = { served: tools("a") };
  const peer = new FakePeer(
    ({ method }) => {
      if (method !== "tools/list") return { prompts: [] };
      if (world.served === "never") return new Promise<never>(() => undefined);
      return world.served === "broken" ? { tools: "none" } : world.served;
    },
    {
      capabilities: new Map<string, unknown>([
        ["tools", { listChanged: true }],
        ["prompts", {}],
      ]),
    },
  );
  let generation = 0;
  const reader = createCatalogReader({
    clock,
    limits: REFRESH_LIMITS,
    follow: true,
    onChanged: (change) => void changes.push(change),
    ...options,
  });
  return Object.assign(world, {
    peer,
    clock,
    reader,
    changes,
    asked: () => peer.asked.filter(({ method }) => method === "tools/list").length,
    announce: async () => {
      peer.notify("notifications/tools/list_changed", {});
      await settle();
    },
    open: () =>
      createSession(
        peer,
        fakeSessionOptions({
          clock,
          newGeneration: () => `g-${++generation}`,
          startupMs: 30_000,
          perCallMs: 30_000,
        }),
      ),
    read: (session: McpSession, kinds: readonly ListKind[] = ["tools"]) =>
      reader.of(session, { filter: { allow: undefined, deny: [] }, kinds }),
  });
}
