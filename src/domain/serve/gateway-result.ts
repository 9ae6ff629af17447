import type { CallResult, ContentPart, ResourceContents } from "../catalog/content-part.ts";
import { partText, resultText } from "../catalog/result-text.ts";
import type { JsonObject } from "../json-value.ts";
import type { AgentOutcome } from "./agent.ts";

/** What there is to say of a result besides its content. Clients that do not know the key pass over it. */
export const GATEWAY_META_KEY = "sallyport/result";

export interface GatewayAnswer {
  readonly result: CallResult;
  /** Present: the tool is not as it was pinned, which the policy `report` lets pass (A7). */
  readonly change?: string;
}

/**
 * Writes what a server's tool answered as content of the gateway's own (R11). Texts are cleaned (K9); a block that no client
 * of today reads is said in words, since it would cost the whole result.
 */
export function gatewayOutcome({ result, change }: GatewayAnswer): AgentOutcome {
  const { isError, structured } = result;
  const notes = notesOf(result, change);
  return {
    status: "completed",
    isError,
    content: contentOf(result),
    ...(structured !== undefined && { structured }),
    ...(notes !== undefined && { meta: { [GATEWAY_META_KEY]: notes } }),
  };
}

function contentOf(result: CallResult): readonly JsonObject[] {
  const { parts, spilled } = result;
  const blocks = parts.flatMap((part): JsonObject[] => {
    const block = blockOf(part);
    return block === undefined ? [] : [block];
  });
  // A client that reads no structured content would see an empty answer.
  if (blocks.length === 0 && result.structured !== undefined) blocks.push(textBlock(resultText(result)));
  if (spilled !== undefined) {
    blocks.push(
      textBlock(
        `[This is the beginning of a result of ${spilled.chars} characters, which is more than is handed over. The tool has run. All of it is kept as ${spilled.reference}: whoever runs this gateway can print it with \`sallyport result ${spilled.reference}\`.]`,
      ),
    );
  }
  return blocks;
}

/** `undefined`: it travels beside the content. */
function blockOf(part: ContentPart): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return textBlock(part.text);
    case "image":
    case "audio":
      return { type: part.type, mimeType: part.mimeType, data: part.base64 };
    case "resource-link": {
      const { uri, name = uri, title, description, mimeType } = part;
      return {
        type: "resource_link",
        uri,
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(mimeType !== undefined && { mimeType }),
      };
    }
    case "embedded-resource":
      return { type: "resource", resource: resourceBlock(part.resource) };
    case "structured":
      return undefined;
    case "unknown":
    case "malformed":
      return textBlock(partText(part));
  }
}

function resourceBlock({ uri, mimeType, body }: ResourceContents): JsonObject {
  return {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(body.kind === "text" ? { text: body.text } : { blob: body.base64 }),
  };
}

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

function notesOf(
  { diagnostics, mismatches, spilled }: CallResult,
  change: string | undefined,
): JsonObject | undefined {
  const notes = {
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(mismatches.length > 0 && { mismatches }),
    ...(spilled !== undefined && { spilled }),
    ...(change !== undefined && { change }),
  };
  return Object.keys(notes).length === 0 ? undefined : notes;
}
