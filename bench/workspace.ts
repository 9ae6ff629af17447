import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { McpHost } from "../src/composition/node.ts";
import { node } from "./built.ts";
import { program } from "./measure.ts";

/** A workspace whose servers are all approved, and its own home. */
export interface Workspace {
  readonly workspace: string;
  readonly home: string;
  readonly configuration: string;
  /** A fresh host on it. */
  open(): Promise<McpHost>;
  remove(): Promise<void>;
}

export async function approvedWorkspace(mcpServers: Readonly<Record<string, object>>): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sallyport-bench-")));
  const workspace = join(folder, "workspace");
  const home = join(folder, "home");
  const configuration = join(workspace, ".mcp.json");
  await mkdir(workspace);
  await writeFile(configuration, JSON.stringify({ mcpServers }));
  const open = (): Promise<McpHost> =>
    node.createMcpHost({ workspace, home, places: [{ source: "project", path: configuration }] });
  await using host = await open();
  const trusted = await host.setTrusted(true);
  if (!trusted.ok) throw new Error(`not trusted: ${trusted.refusal.reason}`);
  for (const name of Object.keys(mcpServers)) {
    const approved = await host.approve(name);
    if (!approved.ok) throw new Error(`${name} was not approved: ${approved.refusal.reason}`);
  }
  return {
    workspace,
    home,
    configuration,
    open,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export function stdioServer(...args: readonly string[]): {
  readonly command: string;
  readonly args: string[];
} {
  return { command: process.execPath, args: [program("sdk-server.mjs"), ...args] };
}

/** A loopback server in a process of its own, so that its work is not counted as the host's. */
export async function startHttpServer(
  ...args: readonly string[]
): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(program("sdk-server.mjs"), ["--http", ...args], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [port] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => void child.kill() };
}
