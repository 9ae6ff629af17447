import { openPeer } from "../../src/adapters/mcp-sdk/mcp-peer.ts";
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
  options: { readonly kind?: "http" | "stdio"; readonly perRequest?: boolean } = {},
): Promise<OpenFake> {
  const clock = new FakeClock();
  const carrier = new FakeCarrier(era === "legacy" ? legacyServer(serve) : modernServer(serve), options);
  const opened = await openFakePeer(carrier, {
    clock,
    selection: era === "legacy" ? "legacy" : "2026-07-28",
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
