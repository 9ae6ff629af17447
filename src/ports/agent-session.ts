import type { JsonObject } from "../domain/json-value.ts";
import type { AgentAnswer, AgentOutcome, AgentPrompt, AgentTool } from "../domain/serve/agent.ts";

export type { AgentAnswer, AgentOutcome, AgentPrompt, AgentTool };

export interface InvocationOptions {
  /** Ends this invocation and no other. */
  readonly signal: AbortSignal;
  /** Present where the caller can be asked. Prompts of this invocation only. */
  readonly ask?: (prompt: AgentPrompt, options: { readonly signal: AbortSignal }) => Promise<AgentAnswer>;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  /** Of the caller's `_meta`, without reserved keys and progress token. */
  readonly meta?: JsonObject;
}

/** For the agent session that is served: its tools under its own permissions, and its turns (R1). */
export interface AgentSession {
  /** Read again for every list and every call (R2). */
  tools(options: { readonly signal: AbortSignal }): Promise<readonly AgentTool[]>;
  invoke(toolName: string, args: JsonObject, options: InvocationOptions): Promise<AgentOutcome>;
  /** Submits a turn and answers with its response. Never aborts another caller's turn: `busy` instead. */
  submit?(prompt: string, options: InvocationOptions): Promise<AgentOutcome>;
  /** Adds a listener for a changed list of tools; answers how to remove it. */
  onToolsChanged?(listener: () => void): () => void;
}
