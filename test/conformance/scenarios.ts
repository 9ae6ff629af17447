import { buildServerCatalog, type McpSession } from "../../src/composition/client.ts";
import { accept, refuse, type Outcome, type PeerFailure } from "../../src/composition/index.ts";
import type { CommandInput } from "./command-input.ts";
import type { ConformanceHost } from "./host.ts";

export type Scenario = (host: ConformanceHost, input: CommandInput) => Promise<void>;

/** What every scenario does that has no story of its own: lists the tools and calls the first one. */
async function listAndCall(host: ConformanceHost): Promise<void> {
  const tools = await listTools(host);
  const [name] = tools;
  if (name !== undefined) await call(host, name);
}

async function listTools(host: ConformanceHost): Promise<readonly string[]> {
  return host.use(async (session) => {
    const { tools } = await session.discover();
    if (tools.failure !== undefined) return refuse(tools.failure);
    return accept(tools.items.map((item) => nameOf(item)));
  });
}

function nameOf(item: unknown): string {
  const name = typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
  return typeof name === "string" ? name : "";
}

async function call(
  host: ConformanceHost,
  name: string,
  args: Parameters<McpSession["callTool"]>[1] = {},
): Promise<void> {
  await host.use((session) => session.callTool(name, args));
}

/** Drives whatever else a server declares, once. */
async function everything(host: ConformanceHost): Promise<void> {
  await listAndCall(host);
  await host.use(async (session): Promise<Outcome<true, PeerFailure>> => {
    const { prompts, resources } = await session.discover();
    for (const prompt of prompts.items.slice(0, 1)) {
      const got = await session.getPrompt(nameOf(prompt), {});
      if (!got.ok) return got;
    }
    for (const resource of resources.items.slice(0, 1)) {
      const uri = typeof resource === "object" && resource !== null && "uri" in resource ? resource.uri : "";
      const read = await session.readResource(String(uri));
      if (!read.ok) return read;
    }
    return accept(true);
  });
}

/** Calls whatever the catalog kept of a server's tools. */
async function callEverythingInCatalog(host: ConformanceHost): Promise<void> {
  const tools = await host.use(async (session) => {
    const listed = (await session.discover()).tools;
    if (listed.failure !== undefined) return refuse(listed.failure);
    return accept(
      buildServerCatalog({ serverId: session.serverId, tools: listed.items, era: "modern" }).tools,
    );
  });
  for (const { sourceName } of tools) await call(host, sourceName);
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  initialize: async (host) => {
    await listTools(host);
  },
  tools_call: async (host) => {
    await listTools(host);
    await call(host, "add_numbers", { a: 5, b: 3 });
  },
  "sse-retry": (host) => call(host, "test_reconnection"),
  "json-schema-ref-no-deref": async (host) => {
    await listTools(host);
  },
  "http-standard-headers": everything,
  "http-invalid-tool-headers": callEverythingInCatalog,
  "http-custom-headers": async (host, { context }) => {
    await listTools(host);
    for (const { name, arguments: args } of context.toolCalls ?? []) await call(host, name, args);
  },
  "auth/authorization-server-migration": async (host) => {
    await listAndCall(host);
    await listAndCall(host);
  },
};

export function scenarioOf(name: string): Scenario {
  return SCENARIOS[name] ?? listAndCall;
}
