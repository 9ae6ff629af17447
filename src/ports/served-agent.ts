import type { JsonObject } from "../domain/json-value.ts";
import type { JsonSchema } from "../domain/catalog/catalog.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { AgentTool } from "../domain/serve/agent.ts";
import type { ToolAnswer } from "../domain/serve/envelope.ts";
import type { ServedCatalogRefusal } from "../domain/serve/refusal.ts";

/** A form as MCP writes it into an elicitation. */
export interface AskedForm {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/** How the caller of one call can be asked (R10). */
export type Asking =
  | { readonly kind: "none" }
  /** While the call runs. Answers what the client said, unchecked; rejects where it said nothing. */
  | {
      readonly kind: "during";
      readonly ask: (form: AskedForm, options: { readonly signal: AbortSignal }) => Promise<unknown>;
    }
  /** By answering the request with the form; the client calls again with what was said. */
  | { readonly kind: "rounds" };

export interface ServedCall {
  readonly toolName: string;
  readonly args: JsonObject;
  /** Whose call it is: nobody else's state is found again. */
  readonly caller: string;
  /** The caller's `_meta` as it came. */
  readonly meta?: unknown;
  /** Ends the invocation behind this call, and no other. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  readonly asking: Asking;
  /** Of a call that goes on with an earlier one: its state, and what the client said to the form, unchecked. */
  readonly round?: { readonly state: string; readonly said: unknown };
}

export type ServedAnswer =
  | { readonly kind: "answer"; readonly answer: ToolAnswer; readonly outputSchema?: JsonSchema }
  | { readonly kind: "input-required"; readonly state: string; readonly form: AskedForm }
  /** No such state, not any more, or not of this call. */
  | { readonly kind: "unknown-state" };

/** For answering the clients of a served session, whatever carries them. */
export interface ServedAgent {
  listTools(options: {
    readonly signal: AbortSignal;
  }): Promise<Outcome<readonly AgentTool[], ServedCatalogRefusal>>;
  /** Never rejects: what goes wrong is an answer with a fixed sentence. */
  call(call: ServedCall): Promise<ServedAnswer>;
  /** Present where the session tells of changes. */
  readonly onToolsChanged?: (listener: () => void) => () => void;
  /** Ends every invocation and settles every prompt. Idempotent, terminal. */
  close(): void;
}
