import { isJsonObject } from "../json-value.ts";
import type { AgentTool } from "./agent.ts";

/** How the tool is named that submits a turn. */
export interface SubmitToolName {
  readonly name: string;
  readonly description: string;
}

export const DEFAULT_SUBMIT_TOOL: SubmitToolName = {
  name: "agent_submit",
  description: "Submits a prompt to the agent and answers with its response.",
};

/** The submission tool as a client lists it (R2). */
export function submitToolOf({ name, description }: SubmitToolName): AgentTool {
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: { prompt: { type: "string", minLength: 1 } },
      required: ["prompt"],
      additionalProperties: false,
    },
  };
}

/** The prompt out of the submission tool's arguments: a text that is not empty, and nothing beside it (R2). */
export function promptOf(args: unknown): string | undefined {
  if (!isJsonObject(args) || Object.keys(args).join() !== "prompt") return undefined;
  const { prompt } = args;
  return typeof prompt === "string" && prompt !== "" ? prompt : undefined;
}
