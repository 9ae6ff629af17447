import { McpServer } from "@modelcontextprotocol/server";
import { memorySkillFiles, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";

/** Over the cap of any other message once it is base64. */
export const BIG_BYTES: number = 7 * 1024 * 1024;
const FRONTMATTER: string = [
  "name: refunds",
  'description: "Handles refunds: all of them"',
  "license: MIT",
  "metadata:",
  '  version: "2.1"',
  "allowed-tools: >",
  "  a b",
  "  c",
].join("\n");

/** Bytes of every value, so that they are no text. */
export function bigFile(): Uint8Array {
  return Uint8Array.from({ length: BIG_BYTES }, (_, index) => (index % 251) ^ (index >> 12));
}

const catalog = await SkillsExtension.load(
  memorySkillFiles({
    "refunds/SKILL.md": `---\n${FRONTMATTER}\n---\n\nRead references/FORMS.md.\n`,
    "refunds/references/FORMS.md": "h\u00e4\n",
    "refunds/assets/big.bin": bigFile(),
    "payments/SKILL.md": "---\nname: payments\ndescription: Pays\n---\n",
  }),
  { prefix: "acme", pageSize: 1 },
);

/** A server on the official SDK with two skills, one a page. */
export function createSkillServer(): McpServer {
  const server = new McpServer({ name: "skill-server", version: "1.0.0" });
  catalog.attach(server);
  server.registerTool("declared", { description: "Says what the client declared" }, ({ mcpReq }) => {
    const meta: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    return { content: [{ type: "text", text: JSON.stringify(meta) }] };
  });
  return server;
}
