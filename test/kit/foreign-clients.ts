import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { ROOT } from "../architecture/source-files.ts";
import { ended, type CommandPlace } from "./commands.ts";
import { CLI, firstText } from "./gateways.ts";

/** How a client reaches the gateway. */
export type Way =
  | { readonly over: "stdio" }
  | {
      readonly over: "http";
      readonly url: string;
      readonly token: string;
      readonly environment?: Readonly<Record<string, string>>;
    };

interface Foreign {
  readonly place: CommandPlace;
  readonly way: Way;
}

/** Calls `everything__echo` with `hi` by another project's client; answers what that prints. */
export type ForeignCall = (t: TestContext, foreign: Foreign) => Promise<string>;

export const inspector: ForeignCall = (t, foreign) => {
  const call = ["--method", "tools/call", "--tool-name", "everything__echo", "--tool-arg", "message=hi"];
  return run(t, foreign, "mcp-inspector", ["--cli", ...inspectorTarget(foreign), ...call]);
};

export const mcporter: ForeignCall = (t, foreign) => {
  const call = ["--name", "gateway", "everything__echo", "message=hi"];
  return run(t, foreign, "mcporter", ["call", ...mcporterTarget(foreign), ...call]);
};

/** Speaks stdio to the official client, and HTTP to the gateway. */
export const mcpRemote: ForeignCall = async (t, { place, way }) => {
  if (way.over !== "http") throw new Error("mcp-remote speaks HTTP");
  const client = new Client({ name: "test-client", version: "1" });
  t.after(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin("mcp-remote"), way.url, "--header", `Authorization: Bearer ${way.token}`],
      env: environmentOf(place, way),
      stderr: "ignore",
    }),
  );
  const result = await client.callTool({ name: "everything__echo", arguments: { message: "hi" } });
  await client.close();
  return firstText(result);
};

function inspectorTarget({ place, way }: Foreign): readonly string[] {
  if (way.over === "stdio") return [process.execPath, ...serveArguments(place)];
  return [way.url, "--transport", "http", "--header", `Authorization: Bearer ${way.token}`];
}

function mcporterTarget({ place, way }: Foreign): readonly string[] {
  if (way.over === "stdio") {
    return ["--stdio", process.execPath, ...serveArguments(place).flatMap((word) => ["--stdio-arg", word])];
  }
  return ["--http-url", way.url, "--allow-http", "--header", `Authorization=Bearer ${way.token}`];
}

/** The home as a flag: not every client lets its servers see the environment. */
function serveArguments({ home }: CommandPlace): readonly string[] {
  return [CLI, "--home", home, "serve"];
}

async function run(
  t: TestContext,
  { place, way }: Foreign,
  name: string,
  args: readonly string[],
): Promise<string> {
  const env = environmentOf(place, way);
  await mkdir(env.HOME, { recursive: true });
  const child = spawn(process.execPath, [bin(name), ...args], { cwd: place.workspace, env });
  t.after(() => child.kill("SIGKILL"));
  child.stdin.end();
  const { stdout, stderr } = await ended(child);
  return stdout === "" ? stderr : stdout;
}

/** With a home of their own: clients read and write there. */
function environmentOf({ workspace, home }: CommandPlace, way: Way) {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(workspace, "foreign"),
    SALLYPORT_HOME: home,
    ...(way.over === "http" && way.environment),
  };
}

function bin(name: string): string {
  return join(ROOT, "node_modules/.bin", name);
}
