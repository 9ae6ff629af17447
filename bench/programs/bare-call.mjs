// The least that calls one tool on one stdio server with the official client.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [server] = process.argv.slice(2);
const client = new Client({ name: "bare", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }),
);
const { content } = await client.callTool({ name: "echo", arguments: { text: "hi" } });
process.stdout.write(`${content[0].text}\n`);
await client.close();
