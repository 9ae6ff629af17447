import type { ServerResponse } from "node:http";

import { event, openStream, sendJson, sendStatus, type Script, type SeenRequest } from "./http-mcp-server.ts";

const META = "io.modelcontextprotocol/";

/** A server of 2026-07-28 by hand, with tools whose changes it announces; `onListen` plays its subscriptions. */
export function modernScript(onListen: Script): Script {
  return (request, response) => {
    const { id, method } = request.body ?? {};
    const answer = (result: object): void =>
      sendJson(response, {
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", ttlMs: 3_600_000, cacheScope: "private", ...result },
      });
    switch (method) {
      case "server/discover":
        return answer({ supportedVersions: ["2026-07-28"], capabilities: { tools: { listChanged: true } } });
      case "subscriptions/listen":
        return onListen(request, response);
      case "tools/list":
        return answer({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
      case "tools/call":
        return answer({ content: [] });
      default:
        return sendStatus(response, 202);
    }
  };
}

/** A notification on the subscription that a request opened. */
export function onSubscription({ body }: SeenRequest, method: string, params: object = {}): string {
  return event({
    jsonrpc: "2.0",
    method,
    params: { ...params, _meta: { [`${META}subscriptionId`]: body?.id } },
  });
}

export const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Opens the stream of a subscription and agrees to it. */
export function agree(request: SeenRequest, response: ServerResponse): void {
  openStream(response);
  const notifications = { toolsListChanged: true };
  response.write(onSubscription(request, "notifications/subscriptions/acknowledged", { notifications }));
}

export function isListen({ body }: SeenRequest): boolean {
  return body?.method === "subscriptions/listen";
}
