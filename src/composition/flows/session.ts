import type { JsonObject } from "../../domain/json-value.ts";
import type { HeaderPair } from "../../domain/http/headers.ts";
import { parseTraceContext, type TraceContext } from "../../domain/http/trace.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { compatibilityDiagnostics } from "../../domain/session/diagnostics.ts";
import { decodeFreshness } from "../../domain/session/freshness.ts";
import { sessionIdentity } from "../../domain/session/identity.ts";
import type { SessionStage } from "../../domain/session/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer, PeerFailure, ProtocolSelection } from "../../ports/mcp-peer.ts";
import type { SkillFrontmatter } from "../../ports/skill-frontmatter.ts";
import { discover } from "./discover.ts";
import { createListChanges } from "./list-changes.ts";
import type { ListLimits } from "./list-pages.ts";
import type { McpSession, SessionCallOptions } from "./mcp-session.ts";
import { putFormsTo } from "./put-form.ts";
import { skillsFor } from "./skills-for.ts";

export interface SessionOptions {
  readonly serverId: string;
  readonly selection: ProtocolSelection;
  readonly clock: Clock;
  /** Makes what no other connection of this process was called. */
  readonly newGeneration: () => string;
  readonly limits: ListLimits;
  /** What connecting left of `startupMs`. */
  readonly firstListingMs: number;
  readonly startupMs: number;
  readonly perCallMs: number;
  readonly toolCallMs: number;
  /** `maxTotalMs` when a call gives none, as a multiple of its `timeoutMs`. */
  readonly maxTotalFactor: number;
  /** Whether the peer declared that forms can be put (C6). */
  readonly elicitation: boolean;
  /** Present: skills are on, and this reads what a SKILL.md says of itself (S1). */
  readonly skills?: SkillFrontmatter;
}

/** Stands for a signal that nobody gave. */
const NEVER = new AbortController().signal;

interface Request {
  readonly method: string;
  readonly stage: SessionStage;
  readonly params: JsonObject;
  readonly timeoutMs: number;
}

/** Makes a session over an open peer, which it owns from then on. */
export function createSession(peer: McpPeer, options: SessionOptions): McpSession {
  const { serverId, clock, perCallMs, toolCallMs, maxTotalFactor } = options;
  const renewed: (() => void)[] = [];
  const changes = createListChanges(peer, { clock, acknowledgeMs: perCallMs });
  let identity = sessionIdentity(serverId, peer.identity, options.newGeneration());
  let deadlineMs = options.firstListingMs;
  peer.onRenewed(() => {
    identity = sessionIdentity(serverId, peer.identity, options.newGeneration());
    for (const listener of renewed) listener();
  });

  const send = (request: Request, call: SessionCallOptions): Promise<Outcome<JsonObject, PeerFailure>> => {
    const { method, stage, params } = request;
    const timeoutMs = call.timeoutMs ?? request.timeoutMs;
    const maxTotalMs = call.maxTotalMs ?? maxTotalFactor * timeoutMs;
    // NaN compares with nothing: it would be no deadline at all, looked at every millisecond.
    if (!(timeoutMs > 0 && maxTotalMs > 0)) {
      return Promise.reject(new TypeError("timeoutMs, maxTotalMs: milliseconds above 0"));
    }
    const headers = stage === "call" ? [...traceHeaders(call.trace), ...mirrored(call, peer)] : [];
    return peer.request(method, call.meta === undefined ? params : { ...params, _meta: call.meta }, {
      signal: call.signal ?? NEVER,
      stage,
      timeoutMs,
      maxTotalMs,
      ...(call.onProgress !== undefined && { onProgress: call.onProgress }),
      ...(headers.length > 0 && { headers }),
      ...(stage === "call" && call.ask !== undefined && { elicit: putFormsTo(call.ask, serverId) }),
    });
  };

  return {
    serverId,
    get identity() {
      return identity;
    },
    get server() {
      return peer.identity;
    },
    carrier: peer.carrier,
    skills: skillsFor(peer, options, () => identity),
    get compatibilityDiagnostics() {
      return compatibilityDiagnostics(peer.identity, {
        selection: options.selection,
        elicitation: options.elicitation,
        listChanges: changes.push !== "off",
        skills: options.skills !== undefined,
      });
    },
    async discover({ signal = NEVER, kinds } = {}) {
      const limits = { ...options, timeoutMs: perCallMs, maxTotalMs: maxTotalFactor * perCallMs, deadlineMs };
      deadlineMs = options.startupMs;
      const listedFor = identity;
      return {
        ...(await discover(peer, { ...limits, signal, ...(kinds !== undefined && { kinds }) })),
        identity: listedFor,
      };
    },
    callTool: (name, args, call = {}) =>
      send(
        { method: "tools/call", stage: "call", params: { name, arguments: args }, timeoutMs: toolCallMs },
        call,
      ),
    getPrompt: (name, args, call = {}) =>
      send(
        {
          method: "prompts/get",
          stage: "get-prompt",
          params: { name, arguments: args },
          timeoutMs: perCallMs,
        },
        call,
      ),
    async readResource(uri, call = {}) {
      const stage = "read-resource";
      const read: Request = { method: "resources/read", stage, params: { uri }, timeoutMs: perCallMs };
      const answer = await send(read, call);
      if (!answer.ok) return answer;
      const { era } = peer.identity;
      const freshness = decodeFreshness(answer.value, { era, receivedAtMs: clock.nowMs() });
      if (freshness.ok) return accept({ result: answer.value, freshness: freshness.value });
      const reason = freshness.refusal;
      return refuse({ refusal: { kind: "session", reason, serverId, stage } });
    },
    onNotification: (listener) => peer.onNotification(listener),
    followLists: () => changes.follow(),
    get listPush() {
      return changes.push;
    },
    onListChanged: (listener) => changes.onChanged(listener),
    onListPush: (listener) => changes.onPush(listener),
    onRenewed: (listener) => void renewed.push(listener),
    get ended() {
      return peer.ended;
    },
    closed: peer.closed,
    close: () => peer.close(),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

function mirrored({ parameterHeaders = [] }: SessionCallOptions, peer: McpPeer): readonly HeaderPair[] {
  return peer.carrier === "http" && peer.identity.era === "modern" ? parameterHeaders : [];
}

function traceHeaders(trace: TraceContext | undefined): readonly (readonly [name: string, value: string])[] {
  const read = parseTraceContext(trace?.traceparent, trace?.tracestate);
  if (read === undefined) return [];
  const parent = ["traceparent", read.traceparent] as const;
  return read.tracestate === undefined ? [parent] : [parent, ["tracestate", read.tracestate]];
}
