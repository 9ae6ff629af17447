import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { createMcpHost } from "../../src/composition/host/create-mcp-host.ts";
import type { McpHostOptions } from "../../src/composition/host/host-options.ts";
import type { McpHost } from "../../src/composition/host/mcp-host.ts";
import { valueOf } from "./activation.ts";
import { officialServer } from "./sdk-servers.ts";
import { tempFolder } from "./temp-folder.ts";

export interface HostFolders {
  readonly workspace: string;
  readonly home: string;
}

/** A workspace with a `.mcp.json` and a home apart from it, both gone with the test. */
export async function hostFolders(t: TestContext, mcpServers: unknown): Promise<HostFolders> {
  const folder = await tempFolder(t);
  const workspace = join(folder, "workspace");
  await mkdir(workspace);
  await writeProject(workspace, mcpServers);
  return { workspace, home: join(folder, "home") };
}

export async function writeProject(workspace: string, mcpServers: unknown): Promise<void> {
  await writeFile(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers }));
}

/** A host that reads the workspace's project file alone, and is closed with the test. */
export async function hostIn(
  t: TestContext,
  folders: HostFolders,
  options: McpHostOptions = {},
): Promise<McpHost> {
  const host = await createMcpHost({
    ...folders,
    places: [{ source: "project", path: join(folders.workspace, ".mcp.json") }],
    ...options,
  });
  t.after(() => host.close());
  return host;
}

/** Trusts the workspace and approves the named servers, as a person would. */
export async function approveAll(host: McpHost, ...names: readonly string[]): Promise<void> {
  valueOf(await host.setTrusted(true));
  for (const name of names) valueOf(await host.approve(name));
}

/** The entry of an official server that runs over stdio. */
export function stdioEntry(name: string, rest: object = {}): object {
  return { command: process.execPath, args: [officialServer(name)], ...rest };
}
