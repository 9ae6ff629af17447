import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";

import type { McpHost } from "../../src/composition/host/mcp-host.ts";
import type { McpHostOptions } from "../../src/composition/host/host-options.ts";
import { approveAll, hostFolders, hostIn, type HostFolders } from "./hosts.ts";
import {
  legacyScript,
  sendJson,
  sendStatus,
  startScriptedServer,
  type Script,
  type ScriptedServer,
  type SeenRequest,
} from "./http-mcp-server.ts";

export interface FaultScript {
  /** What `tools/list` answers; default an empty list. */
  readonly list?: (request: SeenRequest) => object;
  /** What `tools/call` answers; default an empty result. */
  readonly call?: (request: SeenRequest, response: ServerResponse) => object | undefined;
  readonly sessions?: readonly string[];
}

/** A real server of the older era whose lists and results are written by hand, so that they can be wrong. */
export function startFaultServer(t: TestContext, fault: FaultScript): Promise<ScriptedServer> {
  const script: Script = (request, response) => {
    const answer = answerOf(fault, request, response);
    if (answer === "status") return sendStatus(response, 400);
    if (answer !== undefined) sendJson(response, { jsonrpc: "2.0", id: request.body?.id, ...answer });
  };
  const { sessions } = fault;
  return startScriptedServer(t, legacyScript({ script, ...(sessions !== undefined && { sessions }) }));
}

function answerOf(
  { list = () => ({ tools: [] }), call = () => ({ content: [] }) }: FaultScript,
  request: SeenRequest,
  response: ServerResponse,
): object | "status" | undefined {
  switch (request.body?.method) {
    case "tools/list":
      return { result: list(request) };
    case "tools/call": {
      const result = call(request, response);
      return result === undefined ? undefined : { result };
    }
    default:
      return "status";
  }
}

export interface FaultHost {
  readonly host: McpHost;
  readonly folders: HostFolders;
}

/** A host with every named server approved, as a person would. */
export async function faultHost(
  t: TestContext,
  entries: Readonly<Record<string, object>>,
  options: McpHostOptions = {},
): Promise<FaultHost> {
  const folders = await hostFolders(t, entries);
  const host = await hostIn(t, folders, options);
  await approveAll(host, ...Object.keys(entries));
  return { host, folders };
}

/** A host with one server `s` whose tools are these, raw. */
export async function hostWithTools(
  t: TestContext,
  tools: readonly unknown[],
  call?: FaultScript["call"],
): Promise<FaultHost & { readonly server: ScriptedServer }> {
  const server = await startFaultServer(t, { list: () => ({ tools }), ...(call !== undefined && { call }) });
  return { ...(await faultHost(t, { s: { url: server.url } })), server };
}

/** What the server was asked to call, in order. */
export function callsOf({ requests }: ScriptedServer): readonly unknown[] {
  return requests.flatMap(({ body }) => (body?.method === "tools/call" ? [body.params?.["name"]] : []));
}
