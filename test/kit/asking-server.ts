import { inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";

/**
 * A server on the official SDK whose tool `ask` wants a name before it answers, in either era: in the older one the SDK
 * turns the round into a request. `ask-twice` wants two in one round, `open-page` a page.
 */
export function createAskingServer(): McpServer {
  const server = new McpServer({ name: "asking-server", version: "1.0.0" });
  server.registerTool("ask", { description: "Asks for a name" }, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { name: nameQuestion("Who are you?") }, requestState: "state é" })
      : said(mcpReq.inputResponses, ["name"]),
  );
  server.registerTool("ask-twice", { description: "Asks for two names" }, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { one: nameQuestion("One?"), two: nameQuestion("Two?") } })
      : said(mcpReq.inputResponses, ["one", "two"]),
  );
  server.registerTool("open-page", { description: "Wants a page opened" }, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({
          inputRequests: { page: inputRequired.elicitUrl({ message: "Open", url: "javascript:alert(1)" }) },
        })
      : said(mcpReq.inputResponses, ["page"]),
  );
  server.registerTool("plain", { description: "Asks nothing" }, () => ({
    content: [{ type: "text", text: "plain" }],
  }));
  return server;
}

function nameQuestion(message: string): ReturnType<typeof inputRequired.elicit> {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string", title: "Name", minLength: 1 } },
      required: ["name"],
    },
  });
}

/** What was answered, as text. */
function said(responses: Parameters<typeof inputResponse>[0], keys: readonly string[]) {
  const answers = keys.map((key) => JSON.stringify(inputResponse(responses, key)));
  return { content: [{ type: "text" as const, text: answers.join(" ") }] };
}
