import { openPeer } from "../../src/adapters/mcp-sdk/mcp-peer.ts";
import type { SessionOptions } from "../../src/composition/flows/session.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type {
  McpPeer,
  PeerFailure,
  PeerRequestOptions,
  ProtocolSelection,
} from "../../src/ports/mcp-peer.ts";
import { FakeCarrier, legacyServer, modernServer, type SentMessage } from "./fake-carrier.ts";
import { FakeClock } from "./fake-clock.ts";

export const NEVER: AbortSignal = new AbortController().signal;

/** Opens a peer named `s` over a carrier: 1 s to connect, 100 ms for a silent probe. */
export function openFakePeer(
  carrier: FakeCarrier,
  options: {
    readonly clock: FakeClock;
    readonly selection?: ProtocolSelection;
    readonly signal?: AbortSignal;
    readonly elicitation?: boolean;
  },
): Promise<Outcome<McpPeer, PeerFailure>> {
  return openPeer(carrier, {
    serverId: "s",
    selection: options.selection ?? "legacy",
    clock: options.clock,
    connectTimeoutMs: 1_000,
    probeTimeoutMs: 100,
    clientInfo: { name: "mcp-client", version: "1.0.0" },
    signal: options.signal ?? NEVER,
    elicitation: options.elicitation === true,
  });
}

export interface OpenFake {
  readonly peer: McpPeer;
  readonly carrier: FakeCarrier;
  readonly clock: FakeClock;
}

/** An open peer of one era, whose server answers everything after the handshake with `serve`. */
export async function connectedFake(
  era: "legacy" | "modern",
  serve: (message: SentMessage, carrier: FakeCarrier) => void,
  options: {
    readonly kind?: "http" | "stdio";
    readonly perRequest?: boolean;
    readonly elicitation?: boolean;
  } = {},
): Promise<OpenFake> {
  const clock = new FakeClock();
  const carrier = new FakeCarrier(era === "legacy" ? legacyServer(serve) : modernServer(serve), options);
  const opened = await openFakePeer(carrier, {
    clock,
    selection: era === "legacy" ? "legacy" : "2026-07-28",
    elicitation: options.elicitation === true,
  });
  if (!opened.ok) throw new Error(`the fake did not connect: ${JSON.stringify(opened.refusal)}`);
  carrier.sent.length = 0;
  return { peer: opened.value, carrier, clock };
}

/** Options of a request: 100 ms, 250 ms in all. */
export function asking(overrides: Partial<PeerRequestOptions> = {}): PeerRequestOptions {
  return { signal: NEVER, stage: "call", timeoutMs: 100, maxTotalMs: 250, ...overrides };
}

/** Lets everything that is due run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Options of a session over a fake peer: 1 s to start (400 ms of it left), 200 ms a list, 300 ms a call. */
export function fakeSessionOptions(overrides: Partial<SessionOptions> = {}): SessionOptions {
  let generation = 0;
  return {
    serverId: "s",
    selection: "legacy",
    clock: new FakeClock(),
    newGeneration: () => `generation-${++generation}`,
    limits: { pages: 50, entries: 10_000, bytes: 1_000_000 },
    firstListingMs: 400,
    startupMs: 1_000,
    perCallMs: 200,
    toolCallMs: 300,
    maxTotalFactor: 10,
    elicitation: false,
    ...overrides,
  };
}
