/**
 * Serves an agent of one's own to any MCP client over stdio, as `node examples/serve-agent/main.ts`. In an application
 * the import below reads `from "sallyport/node"`.
 */
import { createMcpTransport } from "../../src/composition/node.ts";
import { agent } from "./agent.ts";

const transport = createMcpTransport({ name: "my-agent", version: "1.0.0", askClient: true });
transport.attach(agent);
await transport.start();
await transport.waitForClose();
