import type { TestContext } from "node:test";

import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import { createUndiciEgress } from "../../src/adapters/http-undici/egress.ts";
import type { HttpCarrier } from "../../src/adapters/mcp-sdk/http-carrier.ts";
import {
  createStreamableHttpAdapter,
  type StreamableHttpAdapter,
  type StreamableHttpOptions,
} from "../../src/adapters/mcp-sdk/streamable-http.ts";
import { CarrierError } from "../../src/adapters/mcp-sdk/carrier.ts";
import { createSystemClock } from "../../src/adapters/system/clock.ts";
import type { ActivationStatus } from "../../src/domain/activation/approval.ts";
import {
  createDefinition,
  type HeadersHelperSettings,
  type HttpMaterial,
  type MaterialisedText,
  type ServerDefinition,
  type ServerDefinitionParts,
} from "../../src/domain/definition/definition.ts";
import type { Egress } from "../../src/ports/egress.ts";
import { LEGACY_VERSION } from "./http-mcp-server.ts";
import { PlainEgress } from "./plain-egress.ts";

const FINGERPRINT = "f".repeat(64);
const IDENTITY = "1".repeat(64);

export interface DefinitionOverrides {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly headersHelper?: HeadersHelperSettings;
  readonly parts?: Partial<ServerDefinitionParts>;
}

export function httpDefinition(overrides: DefinitionOverrides = {}): ServerDefinition {
  const transport = overrides.parts?.transport === "stdio" ? "http" : (overrides.parts?.transport ?? "http");
  const headers = Object.entries(overrides.headers ?? {}).map(
    ([name, value]) => [name, text(value)] as const,
  );
  const material: HttpMaterial = {
    transport,
    url: text(overrides.url ?? "https://mcp.example/mcp"),
    headers: new Map(headers),
    env: new Map(),
    headersHelper: overrides.headersHelper,
  };
  const parts: ServerDefinitionParts = {
    name: "docs",
    source: "user",
    origin: "/home/u/mcp.json",
    transport: "http",
    fingerprint: FINGERPRINT,
    securityIdentity: IDENTITY,
    skills: false,
    disabled: false,
    tools: { allow: undefined, deny: [] },
    hasHeadersHelper: overrides.headersHelper !== undefined,
    notes: [],
    unsetVariables: [],
    ...overrides.parts,
  };
  return createDefinition(parts, material);
}

function text(value: string): MaterialisedText {
  return { text: value, stretches: [] };
}

export function approvalOf(definition: ServerDefinition): ActivationStatus & { readonly status: "approved" } {
  const { name, source, origin, fingerprint, securityIdentity } = definition;
  const subject = {
    serverId: name,
    source,
    provenance: { kind: source, origin, fingerprint },
    securityIdentity,
  };
  return {
    status: "approved",
    record: { decision: "approved", authority: "user", subject, covered: [], decidedAtMs: 0 },
  };
}

/** The egress a host gets, for loopback; its bounds run on the machine's clock. */
export function realEgress(t: TestContext): Egress {
  const egress = createUndiciEgress({
    resolver: { resolve: () => Promise.reject(new Error("loopback is never resolved")) },
    policy: { allowDestinations: [] },
    clock: createSystemClock(),
  });
  t.after(() => egress.close());
  return egress;
}

export function loopbackAdapter(options: Partial<StreamableHttpOptions> = {}): StreamableHttpAdapter {
  return createStreamableHttpAdapter({
    egress: new PlainEgress(),
    policy: { allowDestinations: [] },
    clock: createSystemClock(),
    ...options,
  });
}

/** A carrier to a loopback URL, and what it handed over. */
export interface Connected {
  readonly carrier: HttpCarrier;
  readonly received: JSONRPCMessage[];
  /** Sends one request; settles like the carrier's own promise. */
  readonly request: (
    id: string | number,
    method: string,
    options?: Parameters<HttpCarrier["send"]>[1],
  ) => Promise<void>;
}

export async function openCarrier(
  t: TestContext,
  url: string,
  options: Partial<StreamableHttpOptions> & DefinitionOverrides = {},
): Promise<Connected> {
  const definition = httpDefinition({ ...options, url });
  const admitted = loopbackAdapter(options);
  const admission = admitted.admit(definition, approvalOf(definition));
  if (!admission.ok) throw new Error(`not admitted: ${admission.refusal.reason}`);
  const carrier = admitted.construct(admission.value);
  t.after(() => carrier.close());
  const received: JSONRPCMessage[] = [];
  Object.assign(carrier, { onmessage: (message: JSONRPCMessage) => void received.push(message) });
  await carrier.start();
  const request: Connected["request"] = (id, method, sendOptions) =>
    carrier.send({ jsonrpc: "2.0", id, method, params: {} }, sendOptions);
  return { carrier, received, request };
}

/** A carrier after the legacy handshake, with nothing received yet. */
export async function openLegacyCarrier(
  t: TestContext,
  url: string,
  options: Partial<StreamableHttpOptions> & DefinitionOverrides = {},
): Promise<Connected> {
  const connected = await openCarrier(t, url, options);
  const params = {
    protocolVersion: LEGACY_VERSION,
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  await connected.carrier.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  connected.carrier.setProtocolVersion?.(LEGACY_VERSION);
  await connected.carrier.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  connected.received.length = 0;
  return connected;
}

/** The refusal that a promise of a carrier is rejected with; anything else fails the test. */
export async function carrierRefusal(promise: Promise<unknown>): Promise<CarrierError["failure"]["refusal"]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CarrierError) return error.failure.refusal;
    throw error;
  }
  throw new Error("nothing was refused");
}
