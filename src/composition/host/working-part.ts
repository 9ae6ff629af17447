import { createCaller } from "./call-by-name.ts";
import type { Caller } from "./call-by-name.ts";
import { createCarriers } from "./carriers.ts";
import type { RefreshLimits } from "../../domain/freshness/limits.ts";
import { createCatalogReader, type CatalogChange } from "./catalog-reader.ts";
import { createConnections } from "./connections.ts";
import type { ConnectionChange, LiveConnections } from "./connections.ts";
import type { PinPolicy } from "../../domain/activation/pins.ts";
import { createSessionGuard } from "./guarded-session.ts";
import { accept } from "../../domain/outcome.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import { EVERY_KIND, readHostCatalog } from "./host-catalog.ts";
import { createShownTools } from "./shown-tools.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { McpHost } from "./mcp-host.ts";
import type { Network } from "./network.ts";
import { createPinPart } from "./pin-part.ts";
import type { SignInParts } from "./sign-in-parts.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import type { StateHolder } from "./state-holder.ts";

/** The part of a host that talks to servers. Loaded with the first connection: listing needs none of it. */
export interface WorkingPart extends Pick<McpHost, "connect" | "catalog" | "acceptTools"> {
  readonly connections: LiveConnections;
  readonly call: Caller;
  close(): Promise<void>;
}

export interface WorkingContext {
  readonly options: McpHostOptions;
  readonly settings: HostSettings;
  readonly parts: QuietParts;
  readonly holder: StateHolder;
  readonly network: Network;
  readonly signIns: SignInParts;
  readonly spill: ResultSpill;
  readonly pinPolicy: PinPolicy;
  readonly concurrency: number;
  readonly refreshing: RefreshLimits;
  readonly onCatalogChanged: (change: CatalogChange) => void;
  readonly onConnectionChanged: (change: ConnectionChange) => void;
  readonly signal: AbortSignal;
}

export function createWorkingPart(context: WorkingContext): WorkingPart {
  const { options, parts, holder, spill, concurrency, signal: closing } = context;
  const carriers = createCarriers({ ...context, signal: closing });
  const onChange = context.onConnectionChanged;
  const connections = createConnections({
    options,
    parts,
    carriers,
    holder,
    concurrency,
    onChange,
    signal: closing,
  });
  const pins = createPinPart(context, connections);
  const reader = createCatalogReader({
    clock: parts.clock,
    limits: context.refreshing,
    follow: options.lists?.follow ?? true,
    guard: pins.guard,
    onChanged: context.onCatalogChanged,
    closing,
  });
  const guard = createSessionGuard({
    reader,
    policy: context.pinPolicy,
    filterOf: (name) => holder.filterOf(name),
  });
  const shown = createShownTools(options.schemaProfile);
  return {
    connections,
    connect: async (name, call) => {
      const session = await connections.connect(name, call);
      return session.ok ? accept(guard(session.value)) : session;
    },
    call: createCaller({ options, connections, reader, holder, spill, signal: closing }),
    catalog: ({ names, kinds, signal } = {}) =>
      readHostCatalog(
        {
          names: names ?? holder.approvedNames(),
          kinds: kinds ?? EVERY_KIND,
          filterOf: (name) => holder.filterOf(name),
          shown,
          signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
        },
        connections,
        reader,
      ),
    acceptTools: async (name, changes) => {
      const accepted = await pins.accept(name, changes);
      if (accepted.ok) reader.forget(name);
      return accepted;
    },
    close: () => connections.close(),
  };
}
