import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

import type { HttpCarrier } from "../../src/adapters/mcp-sdk/http-carrier.ts";
import type { StdioCarrier } from "../../src/adapters/mcp-sdk/stdio-carrier.ts";
import type { StreamableHttpOptions } from "../../src/adapters/mcp-sdk/streamable-http.ts";
import { approvalOf, httpDefinition, loopbackAdapter } from "./http-carriers.ts";
import { childCarrier, NODE } from "./stdio-carriers.ts";

/** A server on the official SDK, for either era: `echo`, `fail`, `steps` (progress), `never` (no answer). */
export function createTestServer(): McpServer {
  const server = new McpServer({ name: "sdk-server", version: "3.1.4" }, { instructions: "be brief" });
  const inputSchema = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
  server.registerTool("echo", { description: "Says it again", inputSchema }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  server.registerTool("fail", { description: "Fails" }, () => ({
    content: [{ type: "text", text: "boom" }],
    isError: true,
  }));
  server.registerTool("steps", { description: "Takes three steps" }, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken ?? 0;
    for (const progress of [1, 2, 3]) {
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3 },
      });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("never", { description: "Does not answer" }, ({ mcpReq }) => {
    return new Promise((_resolve, reject) => {
      mcpReq.signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  });
  server.registerPrompt("greet", { description: "Greets" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "hello" } }],
  }));
  server.registerResource("note", "note://one", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, text: "a note" }],
  }));
  return server;
}

/** Serves {@link createTestServer} over loopback HTTP in this process; answers its URL. */
export async function startSdkServer(
  t: TestContext,
  make: () => McpServer = createTestServer,
): Promise<string> {
  const handler = createMcpHandler(make);
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => {
    // The package's own type forbids the explicit undefined that Node's declares.
    void node(request as Parameters<typeof node>[0], response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** A carrier to a loopback URL, admitted as a host would and not started. */
export function httpCarrier(
  t: TestContext,
  url: string,
  options: Partial<StreamableHttpOptions> = {},
): HttpCarrier {
  const definition = httpDefinition({ url });
  const adapter = loopbackAdapter(options);
  const admission = adapter.admit(definition, approvalOf(definition));
  if (!admission.ok) throw new Error(`not admitted: ${admission.refusal.reason}`);
  const carrier = adapter.construct(admission.value);
  t.after(() => carrier.close());
  return carrier;
}

/** A carrier over a child that runs {@link createTestServer}. */
export function sdkChildCarrier(t: TestContext): Promise<StdioCarrier> {
  return scriptCarrier(t, fixture("sdk-server.ts"));
}

/** A carrier over a child of any script. */
export function scriptCarrier(t: TestContext, ...args: readonly string[]): Promise<StdioCarrier> {
  return childCarrier(t, "", { command: NODE, args });
}

/** The entry of an official server package. */
export function officialServer(name: string): string {
  return fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
}

/** Starts the official everything server over HTTP on a free port; answers its URL. */
export async function startEverything(t: TestContext): Promise<string> {
  const child = spawn(
    NODE,
    ["--import", fixture("tell-port.mjs"), officialServer("everything"), "streamableHttp"],
    { env: { PORT: "0" }, stdio: ["ignore", "ignore", "ignore", "ipc"] },
  );
  t.after(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const [port] = await once(child, "message");
  return `http://127.0.0.1:${port}/mcp`;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/session/${name}`, import.meta.url));
}
