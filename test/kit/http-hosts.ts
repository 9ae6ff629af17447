import type { TestContext } from "node:test";

import type { HttpLimits } from "../../src/adapters/node-http/http-limits.ts";
import type { WebCallContext, WebHandler } from "../../src/adapters/node-http/web-handler.ts";
import { loopbackHost, type McpHttpHost } from "../../src/composition/serve/http-loopback-host.ts";
import {
  remoteHost,
  type McpRemoteHttpHost,
  type RemoteAuthorization,
} from "../../src/composition/serve/http-remote-host.ts";
import type { GateRecord } from "../../src/domain/gate/gate-record.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeTokenVerifier } from "./token-verifiers.ts";

export interface HandledCall {
  readonly request: Request;
  readonly context: WebCallContext;
  readonly body: string;
}

/** Remembers what came through, and answers as it is told; otherwise with the body it was given. */
export class StubHandler implements WebHandler {
  readonly calls: HandledCall[] = [];
  closes = 0;
  respond: (call: HandledCall) => Response | Promise<Response> = ({ body }) =>
    new Response(body, { headers: { "content-type": "application/json" } });
  #watchers: (() => void)[] = [];

  readonly fetch: WebHandler["fetch"] = async (request, context) => {
    const { parsedBody } = context;
    const body = parsedBody === undefined ? await request.text() : JSON.stringify(parsedBody);
    const call = { request, context, body };
    this.calls.push(call);
    for (const check of this.#watchers) check();
    return this.respond(call);
  };

  readonly close: WebHandler["close"] = async () => {
    this.closes += 1;
  };

  /** Resolves once `count` calls in all have arrived. */
  arrived(count: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.calls.length >= count) resolve();
      };
      this.#watchers.push(check);
      check();
    });
  }
}

interface Opened {
  readonly port: number;
  readonly handler: StubHandler;
  /** What the audit was told, in order. */
  readonly records: GateRecord[];
}

export interface OpenedLoopback extends Opened {
  readonly host: McpHttpHost;
  readonly token: string;
  /** A head of a POST that passes, up to and with its empty line. */
  readonly head: (lines?: readonly string[]) => string;
}

type Context = Pick<TestContext, "after">;

export async function openLoopback(
  t: Context,
  { limits = {}, handler = new StubHandler() }: { limits?: Partial<HttpLimits>; handler?: StubHandler } = {},
): Promise<OpenedLoopback> {
  const records: GateRecord[] = [];
  const host = loopbackHost({ limits, audit: (record) => records.push(record) }, async () => handler);
  t.after(() => host.stop());
  const { url, token } = await host.start();
  const port = Number(new URL(url).port);
  const head = (lines: readonly string[] = []): string =>
    headOf([`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...lines]);
  return { host, token, port, handler, records, head };
}

export interface OpenedRemote extends Opened {
  readonly host: McpRemoteHttpHost;
  readonly verifier: FakeTokenVerifier;
  readonly clock: FakeClock;
  readonly head: (token: string | undefined, lines?: readonly string[]) => string;
}

export const PUBLIC_URL = "https://mcp.example.com/mcp";

export async function openRemote(
  t: Context,
  {
    limits = {},
    authorization = {},
  }: { limits?: Partial<HttpLimits>; authorization?: Partial<RemoteAuthorization> } = {},
): Promise<OpenedRemote> {
  const records: GateRecord[] = [];
  const handler = new StubHandler();
  const verifier = new FakeTokenVerifier();
  const clock = new FakeClock();
  const host = remoteHost(
    {
      limits,
      clock,
      authorization: {
        publicUrl: PUBLIC_URL,
        issuer: "https://issuer.example.com",
        scopes: ["mcp:use"],
        verifier,
        audit: (record) => records.push(record),
        ...authorization,
      },
    },
    async () => handler,
  );
  t.after(() => host.stop());
  const { listening } = await host.start();
  return { host, port: listening.port, handler, records, verifier, clock, head: remoteHead };
}

function remoteHead(token: string | undefined, lines: readonly string[] = []): string {
  const bearer = token === undefined ? [] : [`Authorization: Bearer ${token}`];
  return headOf(["Host: mcp.example.com", ...bearer, ...lines]);
}

function headOf(lines: readonly string[]): string {
  return ["POST /mcp HTTP/1.1", ...lines, "", ""].join("\r\n");
}
