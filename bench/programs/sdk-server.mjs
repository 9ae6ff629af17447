// A server on the official SDK, over stdio or (with `--http`) loopback HTTP, for both eras.
// `--tools N`: so many tools besides `echo` and `large`.
import { createServer } from "node:http";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const toolsAt = process.argv.indexOf("--tools");
const tools = toolsAt === -1 ? 0 : Number(process.argv[toolsAt + 1]);
const LARGE = "x".repeat(1024 * 1024);
const text = fromJsonSchema({
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
});
const SEARCH = Array.from({ length: tools }, (_, index) =>
  fromJsonSchema({
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: `What to look for in collection ${index}.` },
      kind: { type: "string", enum: ["issue", "change", "comment", "note"] },
      limit: { type: "integer", minimum: 1, maximum: 100 },
      labels: { type: "array", items: { type: "string" }, maxItems: 20 },
      page: { type: "object", properties: { size: { type: "integer" }, cursor: { type: "string" } } },
    },
    required: ["query"],
  }),
);

function makeServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("echo", { description: "Says it again", inputSchema: text }, (args) => ({
    content: [{ type: "text", text: args.text }],
  }));
  server.registerTool("large", { description: "One mebibyte" }, () => ({
    content: [{ type: "text", text: LARGE }],
  }));
  for (const [index, inputSchema] of SEARCH.entries()) {
    const description = `Searches collection ${index} and answers what it finds there, newest first.`;
    server.registerTool(`search_${index}`, { description, inputSchema }, () => ({ content: [] }));
  }
  return server;
}

if (process.argv.includes("--http")) {
  const handler = createMcpHandler(makeServer);
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => void node(request, response));
  server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
  process.on("disconnect", () => process.exit(0));
} else {
  serveStdio(makeServer);
}
