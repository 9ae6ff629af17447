import type { Carrier } from "../adapters/mcp-sdk/carrier.ts";
import { createSkillFrontmatter } from "../adapters/mcp-server-sdk/skill-frontmatter.ts";
import { accept, type Outcome } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { PeerFailure, ProtocolSelection } from "../ports/mcp-peer.ts";
import type { Random } from "../ports/random.ts";
import type { ListLimits } from "./flows/list-pages.ts";
import type { McpSession } from "./flows/mcp-session.ts";
import { createSession } from "./flows/session.ts";

export interface SessionDefaults {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly startupMs: number;
  readonly perCallMs: number;
  readonly toolCallMs: number;
  readonly maxTotalFactor: number;
  readonly probeTimeoutMs: number;
  readonly limits: ListLimits;
}

/** Applied once, here (C7b, K1, C6b). Times in milliseconds. */
export const SESSION_DEFAULTS: SessionDefaults = {
  /** No product name: a server has no business knowing which host this is. */
  clientInfo: { name: "mcp-client", version: "1.0.0" },
  startupMs: 30_000,
  perCallMs: 30_000,
  toolCallMs: 60_000,
  maxTotalFactor: 10,
  /** Longer than a package runner takes to start a server, and still a third of the whole startup. */
  probeTimeoutMs: 10_000,
  limits: { pages: 50, entries: 10_000, bytes: 16 * 1024 * 1024 },
};

export interface OpenMcpSessionOptions {
  /** From an admission (`createStreamableHttpAdapter`, `createStdioAdapter`); closed whenever this fails. */
  readonly carrier: Carrier;
  /** The name in the host's configuration. */
  readonly serverId: string;
  /** Left out: the `initialize` handshake. A revision: that one or a refusal. `auto`: one probe decides (C1). */
  readonly protocolVersion?: Exclude<ProtocolSelection, "legacy">;
  readonly clock: Clock;
  readonly random: Random;
  /** Who the server is told is calling. Default: `mcp-client`. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** One deadline over starting, the handshake and the first listing. Default 30 s. */
  readonly startupMs?: number;
  /** Of a list page, a prompt or a read. Default 30 s. */
  readonly perCallMs?: number;
  /** Of a tool call; what a definition's `timeout` is for. Default 60 s. */
  readonly toolCallMs?: number;
  /** How long `auto` takes a stdio server's silence for thinking. Default 10 s, at most a third of `startupMs`. */
  readonly probeTimeoutMs?: number;
  readonly limits?: Partial<ListLimits>;
  /** Shows the server's skills (S1), with `protocolVersion: "2026-07-28"` alone. Default: no. */
  readonly skills?: boolean;
  /**
   * Declares that forms of the server can be put to whoever makes a tool call (C6); the call then says by `ask` to whom.
   * Default: no, and whatever the server asks is refused.
   */
  readonly elicitation?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Opens a session with one server over an admitted carrier (C1–C6). Refuses with what went wrong and has then
 * closed the carrier; rejects only with the signal's reason.
 */
export async function openMcpSession(
  options: OpenMcpSessionOptions,
): Promise<Outcome<McpSession, PeerFailure>> {
  const { serverId, clock, random, carrier, signal = new AbortController().signal } = options;
  const selection = options.protocolVersion ?? "legacy";
  const startupMs = options.startupMs ?? SESSION_DEFAULTS.startupMs;
  const startMs = clock.monotonicMs();
  // The official client is most of what importing costs: it loads with the first session.
  const { openPeer } = await import("../adapters/mcp-sdk/mcp-peer.ts");
  const peer = await openPeer(carrier, {
    serverId,
    selection,
    clock,
    signal,
    clientInfo: options.clientInfo ?? SESSION_DEFAULTS.clientInfo,
    connectTimeoutMs: startupMs,
    skills: options.skills === true && selection !== "legacy",
    elicitation: options.elicitation === true,
    probeTimeoutMs: Math.min(options.probeTimeoutMs ?? SESSION_DEFAULTS.probeTimeoutMs, startupMs / 3),
  });
  if (!peer.ok) return peer;
  return accept(
    createSession(peer.value, {
      serverId,
      selection,
      clock,
      newGeneration: () => hex(random.bytes(16)),
      limits: { ...SESSION_DEFAULTS.limits, ...options.limits },
      firstListingMs: Math.max(1, startupMs - (clock.monotonicMs() - startMs)),
      startupMs,
      perCallMs: options.perCallMs ?? SESSION_DEFAULTS.perCallMs,
      toolCallMs: options.toolCallMs ?? SESSION_DEFAULTS.toolCallMs,
      maxTotalFactor: SESSION_DEFAULTS.maxTotalFactor,
      elicitation: options.elicitation === true,
      ...(options.skills === true && { skills: createSkillFrontmatter() }),
    }),
  );
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
