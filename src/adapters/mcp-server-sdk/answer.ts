import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";

import { type ToolAnswer, unsendableAnswer } from "../../domain/serve/envelope.ts";
import type { JsonSchema } from "../../domain/catalog/catalog.ts";
import type { ServedAnswer } from "../../ports/served-agent.ts";
import { ASK_KEY, elicitationParams } from "./client-ask.ts";

/** Writes an answer for the revision that the server instance speaks. */
export function callResult(served: ServedAnswer, server: Server): CallToolResult | InputRequiredResult {
  switch (served.kind) {
    case "answer":
      return toolResult(served.answer, { server, outputSchema: served.outputSchema });
    case "input-required":
      return inputRequired({
        inputRequests: { [ASK_KEY]: inputRequired.elicit(elicitationParams(served.form)) },
        requestState: served.state,
      });
    case "unknown-state":
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
  }
}

function toolResult(
  answer: ToolAnswer,
  { server, outputSchema }: { readonly server: Server; readonly outputSchema?: JsonSchema | undefined },
): CallToolResult {
  const { content, structured, isError, meta } = answer;
  const result: unknown = {
    content,
    ...(structured !== undefined && { structuredContent: structured.value }),
    ...(isError && { isError }),
    ...(meta !== undefined && { _meta: meta }),
  };
  // The SDK checks a result too, but answers with what was wrong in it: that would be the session's own data.
  if (!isCallToolResult(result)) return toolResult(unsendableAnswer(), { server });
  return server.projectCallToolResult(
    result,
    typeof outputSchema === "object" ? { ...outputSchema } : undefined,
  );
}
