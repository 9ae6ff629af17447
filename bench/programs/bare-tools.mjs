// The least that lists the tools of many stdio servers with the official client.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [server, count] = process.argv.slice(2);
const lists = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const client = new Client({ name: "bare", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }),
    );
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  }),
);
process.stdout.write(`${lists.flat().length}\n`);
