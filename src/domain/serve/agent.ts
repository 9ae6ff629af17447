import type { JsonSchema } from "../catalog/catalog.ts";
import type { ElicitationForm, FormAnswer } from "../elicitation/form.ts";
import type { JsonObject } from "../json-value.ts";

/** A tool as the session names, describes and declares it (R2). */
export interface AgentTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: JsonObject;
}

/** What a running invocation wants to know of whoever made it (R10). */
export type AgentPrompt =
  /** May this tool run now? Nothing is remembered, whatever the answer. */
  | { readonly kind: "permission"; readonly toolName: string; readonly description: string }
  /** A question: its options are a choice, free text is a field. A masked answer never leaves the host. */
  | {
      readonly kind: "question";
      readonly message: string;
      readonly options: readonly string[];
      readonly freeText: boolean;
      readonly masked: boolean;
    }
  /** A form of somebody behind the session (R11), shown under the name of whoever asks. */
  | { readonly kind: "form"; readonly from: string; readonly form: ElicitationForm };

export type AgentAnswer =
  | { readonly kind: "allow-once" }
  | { readonly kind: "deny" }
  | { readonly kind: "answer"; readonly option?: string; readonly text?: string }
  | { readonly kind: "form"; readonly answer: FormAnswer }
  /** Nobody can be asked, or nobody answered. */
  | { readonly kind: "cancelled" };

/** How an invocation or a turn ended. Texts of failures are the session's own and reach the caller (R2). */
export type AgentOutcome =
  /** `content`: MCP content blocks. Left out: the envelope with the value in it is written as one text. */
  | {
      readonly status: "completed";
      readonly isError?: boolean;
      readonly content?: readonly JsonObject[];
      readonly structured?: { readonly value: unknown };
      /** `_meta` of the result; reserved keys are dropped. */
      readonly meta?: JsonObject;
    }
  | {
      readonly status: FailureStatus;
      /** A sentence for the caller, without secrets. */
      readonly message?: string;
    };

export type FailureStatus =
  | "unknown-tool"
  | "invalid-arguments"
  | "denied"
  | "permission-required"
  | "input-required"
  | "busy"
  | "cancelled"
  | "failed";
