// Tells on descriptor 3 how much heap 5,000 listed tools hold: through a whole host, or the official client.
import { writeSync } from "node:fs";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHost } from "sallyport/node";

const [who, workspace, home] = process.argv.slice(2);
const server = join(import.meta.dirname, "sdk-server.mjs");
const places = [{ source: "project", path: join(workspace, ".mcp.json") }];

async function heapBytes() {
  // What the last turns left behind goes first.
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

let held;
let beforeBytes;
if (who === "ours") {
  const host = await createMcpHost({ workspace, home, places });
  await host.connect("many");
  beforeBytes = await heapBytes();
  held = { host, catalog: await host.catalog() };
} else {
  const client = new Client({ name: "bare", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [server, "--tools", "5000"],
      stderr: "ignore",
    }),
  );
  beforeBytes = await heapBytes();
  held = { client, tools: await client.listTools() };
}
const heldBytes = (await heapBytes()) - beforeBytes;
writeSync(3, JSON.stringify({ heldBytes, parts: Object.keys(held).length }));
process.exit(0);
