import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { createMcpHost } from "../../src/composition/host/create-mcp-host.ts";
import { commandPlace, type CommandPlace } from "./commands.ts";
import { approveAll, stdioEntry } from "./hosts.ts";

export const CLI: string = fileURLToPath(new URL("../../src/composition/cli.ts", import.meta.url));

export type Era = "legacy" | "modern";
export const ERAS: readonly Era[] = ["legacy", "modern"];

const STOPS = new WeakMap<CommandPlace, (() => Promise<void>)[]>();

/** A place that gateways run in: they end before its folders go, as they write there. */
export async function servingPlace(t: TestContext, mcpServers: unknown): Promise<CommandPlace> {
  const stops: (() => Promise<void>)[] = [];
  // Added before the folders' own: hooks run in the order in which they were added.
  t.after(() => Promise.all(stops.map((stop) => stop())));
  const place = await commandPlace(t, mcpServers);
  STOPS.set(place, stops);
  return place;
}

function stopWith(place: CommandPlace, stop: () => Promise<void>): void {
  const stops = STOPS.get(place);
  assert.ok(stops !== undefined, "a gateway runs in a servingPlace");
  stops.push(stop);
}

/** Three official servers, approved. */
export async function gatewayPlace(t: TestContext, more: object = {}): Promise<CommandPlace> {
  const files = stdioEntry("filesystem");
  const place = await servingPlace(t, {
    everything: stdioEntry("everything"),
    memory: stdioEntry("memory"),
    files: { ...files, args: [...("args" in files && Array.isArray(files.args) ? files.args : []), "."] },
    ...more,
  });
  await approve(place, "everything", "memory", "files");
  return place;
}

/** As the command would, in this process: a command takes a second. */
export async function approve({ workspace, home }: CommandPlace, ...names: readonly string[]): Promise<void> {
  const { PATH = "" } = process.env;
  const environment = (name: string): string | undefined => (name === "PATH" ? PATH : undefined);
  const host = await createMcpHost({ workspace, home, environment });
  await approveAll(host, ...names);
  await host.close();
}

/** Processes that this one started and that live. Linux alone says so. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter((text) => text !== "")
      .map(Number);
  } catch {
    return [];
  }
}

export interface GatewayClient {
  readonly client: Client;
  /** stderr of the command so far, where it is ours. */
  readonly stderr: () => string;
  /** Names of tools, sorted. */
  readonly tools: () => Promise<readonly string[]>;
  /** First text of a result. */
  readonly text: (name: string, args: Readonly<Record<string, unknown>>) => Promise<string>;
}

function clientOf(era: Era, options: ClientOptions = {}): Client {
  const pin = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  return new Client({ name: "test-client", version: "1" }, { ...options, ...(era === "modern" && pin) });
}

function seen(client: Client, stderr: () => string): GatewayClient {
  return {
    client,
    stderr,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name).toSorted(byText),
    text: async (name, args) => firstText(await client.callTool({ name, arguments: { ...args } })),
  };
}

export function firstText(result: unknown): string {
  assert.ok(typeof result === "object" && result !== null && "content" in result);
  assert.ok(Array.isArray(result.content));
  const [first]: readonly unknown[] = result.content;
  return typeof first === "object" && first !== null && "text" in first ? String(first.text) : "";
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** The official client, over a `sallyport serve` of its own. */
export async function stdioGateway(
  place: CommandPlace,
  { era, options }: { readonly era: Era; readonly options?: ClientOptions },
): Promise<GatewayClient & { readonly pid: number }> {
  const { workspace, home } = place;
  const transport = new GatewayTransport({
    command: process.execPath,
    args: [CLI, "serve"],
    cwd: workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, SALLYPORT_HOME: home },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const client = clientOf(era, options);
  stopWith(place, () => client.close());
  await client.connect(transport);
  return { ...seen(client, () => stderr), pid: transport.pid ?? 0 };
}

/** A class of its own: the official client starts the official one twice, to probe the first. */
class GatewayTransport extends StdioClientTransport {}

/** The official client, over HTTP with a bearer. */
export async function httpGateway(
  t: TestContext,
  {
    url,
    token,
    era,
    fetch,
  }: {
    readonly url: string;
    readonly token: string;
    readonly era: Era;
    readonly fetch?: typeof globalThis.fetch;
  },
  options: ClientOptions = {},
): Promise<GatewayClient> {
  const client = clientOf(era, options);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(fetch !== undefined && { fetch }),
  });
  t.after(() => client.close());
  await client.connect(transport);
  return seen(client, () => "");
}

export interface RunningGateway {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly stderr: () => string;
  /** Behind a public URL: where the proxy connects to, once it was said; else 0. */
  readonly port: () => number;
  /** By SIGTERM. */
  readonly stop: () => Promise<void>;
}

/** A `sallyport serve` that listens: it says where on stdout, once it does. */
export async function listeningGateway(
  place: CommandPlace,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> {
  const child = place.start(["serve", ...args], { environment });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, "close");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await closed;
  };
  stopWith(place, stop);
  const first = once(createInterface({ input: child.stdout }), "line");
  const said = await Promise.race([first, closed.then(() => [])]);
  const [url] = said;
  assert.ok(typeof url === "string", stderr);
  const port = (): number => Number(/ port (\d+), for /.exec(stderr)?.[1] ?? 0);
  return { child, url, stderr: () => stderr, port, stop };
}

/** A `sallyport serve --http` and its bearer. */
export async function loopbackGateway(
  place: CommandPlace,
): Promise<RunningGateway & { readonly token: string; readonly tokenPath: string }> {
  const tokenPath = join(place.home, "bearer");
  const gateway = await listeningGateway(place, ["--http", "--token-file", tokenPath]);
  return { ...gateway, tokenPath, token: (await readFile(tokenPath, "utf8")).trim() };
}
