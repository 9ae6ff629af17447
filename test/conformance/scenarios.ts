import {
  buildServerCatalog,
  createDiscoveredTool,
  type CatalogTool,
  type McpSession,
} from "../../src/composition/client.ts";
import type { SkillEntry, SkillFailure, SkillsView } from "../../src/composition/client.ts";
import { accept, refuse, type Outcome, type PeerFailure, type Refusal } from "../../src/composition/index.ts";
import type { Ask } from "../../src/ports/ask.ts";
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

async function catalogTools(host: ConformanceHost): Promise<readonly CatalogTool[]> {
  return host.use(async (session) => {
    const listed = (await session.discover()).tools;
    if (listed.failure !== undefined) return refuse(listed.failure);
    const { serverId, carrier } = session;
    return accept(buildServerCatalog({ serverId, tools: listed.items, era: "modern", carrier }).tools);
  });
}

/** Calls whatever the catalog kept of a server's tools. */
async function callEverythingInCatalog(host: ConformanceHost): Promise<void> {
  for (const { sourceName } of await catalogTools(host)) await call(host, sourceName);
}

/**
 * Makes the suite's calls with arguments in headers allowed. Nothing checks them against the schema: the suite gives
 * `null` where its own schema says boolean, and a host's check would keep that call at home (K5).
 */
async function callWithHeaders(host: ConformanceHost, { context }: CommandInput): Promise<void> {
  const tools = await catalogTools(host);
  const validator = { compile: () => () => [] };
  for (const { name, arguments: args } of context.toolCalls ?? []) {
    const tool = tools.find(({ sourceName }) => sourceName === name);
    if (tool === undefined) throw new Error("the suite calls a tool that is not in the catalog");
    await host.use(async (session) => {
      const discovered = createDiscoveredTool(tool, { session, validator, mirrorArguments: true });
      return discovered.call(args);
    });
  }
}

async function listSkills(host: ConformanceHost): Promise<readonly SkillEntry[]> {
  return host.use(async ({ skills }): Promise<Outcome<readonly SkillEntry[], SkillFailure>> => {
    const listing = await viewOf(skills).list();
    return listing.failure === undefined ? accept(listing.skills) : refuse(listing.failure);
  });
}

/** What a host does that was told to load a skill: its SKILL.md first, then every file of it. */
async function loadSkills(host: ConformanceHost): Promise<void> {
  for (const entry of await listSkills(host)) {
    const files = entry.manifest.kind === "listed" ? entry.manifest.files : [];
    for (const { uri } of [{ uri: entry.uri }, ...files]) {
      await host.use(({ skills }) => viewOf(skills).read(entry, uri));
    }
  }
}

function viewOf(skills: SkillsView | undefined): SkillsView {
  if (skills === undefined) throw new Error("there are no skills");
  return skills;
}

/** Whoever is asked takes what the form proposes, and says yes to the rest. */
const takeDefaults: Ask = async ({ form }) => ({
  action: "accept",
  content: Object.fromEntries(
    form.fields.flatMap(({ name, type, default: preset }) => {
      const value = preset ?? (type === "boolean" ? true : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  ),
});

/** Calls the tools that ask, one of them while another one's question is open. */
async function answerRounds(host: ConformanceHost): Promise<void> {
  await listTools(host);
  await host.use((session) => {
    const ask: Ask = async (prompt, options) => {
      await session.callTool("test_mrtr_unrelated", {});
      return takeDefaults(prompt, options);
    };
    return session.callTool("test_mrtr_echo_state", {}, { ask });
  });
  await host.use((session) => session.callTool("test_mrtr_no_state", {}, { ask: takeDefaults }));
  // The suite takes a result without a type for a whole one. It is refused here (C3), and not answered either.
  await host.use(async (session): Promise<Outcome<true, { readonly refusal: Refusal }>> => {
    const untyped = await session.callTool("test_mrtr_no_result_type", {}, { ask: takeDefaults });
    if (untyped.ok) throw new Error("a result without a type was taken");
    return untyped.refusal.refusal.reason === "invalid-response" ? accept(true) : untyped;
  });
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  initialize: async (host) => {
    await listTools(host);
  },
  tools_call: async (host) => {
    await listTools(host);
    await call(host, "add_numbers", { a: 5, b: 3 });
  },
  "elicitation-sep1034-client-defaults": async (host) => {
    await host.use((session) =>
      session.callTool("test_client_elicitation_defaults", {}, { ask: takeDefaults }),
    );
  },
  "sep-2322-client-request-state": answerRounds,
  "sse-retry": (host) => call(host, "test_reconnection"),
  "json-schema-ref-no-deref": async (host) => {
    await listTools(host);
  },
  "http-standard-headers": everything,
  "http-invalid-tool-headers": callEverythingInCatalog,
  "http-custom-headers": callWithHeaders,
  "sep-2640-client-no-prefetch": async (host) => {
    await listSkills(host);
  },
  "sep-2640-client-verify-digest": loadSkills,
  "sep-2640-client-verify-size": loadSkills,
  "sep-2640-client-verify-frontmatter": loadSkills,
  "auth/authorization-server-migration": async (host) => {
    await listAndCall(host);
    await listAndCall(host);
  },
};

export function scenarioOf(name: string): Scenario {
  return SCENARIOS[name] ?? listAndCall;
}
