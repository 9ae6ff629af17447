/**
 * A small agent host: two real MCP servers that are used, and four entries that are not. Run it with `npm start`.
 *
 * In an application the import below reads `from "sallyport/node"`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describeRefusal, escapeForDisplay, projectServer } from "../../src/composition/index.ts";
import { resultText } from "../../src/composition/client.ts";
import { createMcpHost, type McpHost } from "../../src/composition/node.ts";
import { startWebServer } from "./web-server.ts";

const workspace = fileURLToPath(new URL("workspace", import.meta.url));
const APPROVED = ["files", "web", "inside", "old"];

/** stdout is this program's to use; everything that comes from a file or a server is escaped. */
function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function showResolution(host: McpHost): void {
  say("What the configuration says");
  for (const { server, approval } of host.servers()) {
    const { definition } = projectServer(server);
    say(`  ${server.name.padEnd(20)} ${server.status.padEnd(14)} ${approval?.status ?? "-"}`);
    say(`  ${"".padEnd(20)} ${definition?.endpoint ?? ""}`);
  }
}

async function approve(host: McpHost): Promise<void> {
  say("\nWhat a person decides");
  const trusted = await host.setTrusted(true);
  say(`  trust this workspace     ${trusted.ok ? "yes" : describeRefusal(trusted.refusal)}`);
  for (const name of APPROVED) {
    const seen = await host.propose(name);
    const decided = seen.ok ? await host.approve(name, { seen: seen.value }) : seen;
    const program = seen.ok && seen.value.launch !== undefined ? ` (${seen.value.launch.executable})` : "";
    say(`  approve ${name.padEnd(16)} ${decided.ok ? `yes${program}` : describeRefusal(decided.refusal)}`);
  }
}

async function showCatalog(host: McpHost): Promise<void> {
  const names = host.servers().map(({ server }) => server.name);
  const catalog = await host.catalog({ names });
  say("\nWho answered, and who was refused");
  for (const server of catalog.servers) {
    const state =
      server.state === "connected"
        ? `connected, ${server.identity.protocolVersion}`
        : `${server.state}: ${describeRefusal(server.error.refusal)}`;
    say(`  ${server.name.padEnd(20)} ${state}`);
  }
  say("\nThe catalog");
  for (const tool of catalog.tools.values()) {
    const reasons = [...new Set(tool.reasons.map(({ reason }) => reason))].join(", ");
    say(`  ${tool.name.padEnd(44)} ${tool.bucket}${reasons === "" ? "" : ` (${reasons})`}`);
  }
  for (const item of catalog.rejected) {
    say(`  ${`${item.serverId}: ${item.sourceName}`.padEnd(44)} rejected (${item.reason})`);
  }
}

async function call(host: McpHost, tool: string, args: object): Promise<void> {
  const answer = await host.call(tool, args);
  const text = answer.ok ? resultText(answer.value.result) : describeRefusal(answer.refusal.refusal);
  say(`  ${tool} ${JSON.stringify(args)}\n    ${escapeForDisplay(text.trim())}`);
}

const home = await mkdtemp(join(tmpdir(), "sallyport-first-host-"));
const web = await startWebServer();
try {
  const variables = new Map([
    ["WEB_PORT", String(web.port)],
    ["WEB_API_KEY", "a-secret-that-is-printed-nowhere"],
  ]);
  await using host = await createMcpHost({
    workspace,
    home,
    // Only this workspace's file: an example should not start what else is configured on a machine.
    places: [{ source: "project", path: join(workspace, ".mcp.json") }],
    environment: (name) => variables.get(name) ?? process.env[name],
  });
  showResolution(host);
  await approve(host);
  await showCatalog(host);
  say("\nCalls");
  await call(host, "files__read_text_file", { path: "hello.txt" });
  await call(host, "web__get-sum", { a: 19, b: 23 });
  await call(host, "web__get-sum", { a: "nineteen", b: 23 });
  await call(host, "nobody-approved-me__anything", {});
  say("\nThe audit log");
  for await (const event of host.audit()) {
    say(
      `  ${event.action.padEnd(18)} ${(event.serverId ?? "").padEnd(20)} ${event.reason ?? event.authority ?? ""}`,
    );
  }
} finally {
  await web.stop();
  await rm(home, { recursive: true, force: true });
}
