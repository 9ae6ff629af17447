import { holdsWriter, isJsonObject, measureJson, type JsonObject, type JsonSize } from "../json-value.ts";
import type { AgentOutcome, FailureStatus } from "./agent.ts";
import { withoutReservedKeys } from "./caller-meta.ts";

/** What a call is answered with: MCP's `CallToolResult`, before a revision of the protocol shapes it. */
export interface ToolAnswer {
  readonly content: readonly JsonObject[];
  readonly structured?: { readonly value: unknown };
  readonly isError: boolean;
  readonly meta?: JsonObject;
}

/** Our choice: a result over this is one that no client takes (their frames end at 10 MiB). Text in UTF-16 units. */
export const ANSWER_LIMITS: JsonSize = { values: 200_000, depth: 256, text: 8 * 1024 * 1024 };

/** A failure's message is a sentence; more than this is not. Our choice, in UTF-16 units. */
const MESSAGE_LIMIT = 8_192;

/** Said where the session gives no sentence of its own. */
const SENTENCES: Readonly<Record<FailureStatus, string>> = {
  "unknown-tool": "There is no tool of that name.",
  "invalid-arguments": "The arguments do not fit the tool.",
  denied: "The tool may not run: permission was denied.",
  "permission-required": "The tool needs permission to run, and nobody gave it.",
  "input-required": "The tool needs an answer from a person, and nobody gave one.",
  busy: "The session is busy; try again later.",
  cancelled: "The invocation was cancelled.",
  failed: "The tool failed.",
};

const UNSENDABLE = "The tool ended, but its result is too large or is no JSON, and was not sent.";

/**
 * Writes how an invocation ended as an execution envelope (R2): `{ status, value? }` of a success, `{ status,
 * message }` of a failure, as one JSON text; `isError` on every failure. Content that the session wrote itself passes
 * through in place of the envelope. What JSON cannot hold, or nobody could receive, is a failure.
 */
export function toolAnswer(outcome: AgentOutcome): ToolAnswer {
  if (!isJsonObject(outcome)) return failureAnswer("failed");
  if (outcome.status !== "completed") return failureAnswer(outcome.status, outcome.message);
  const { content, structured, meta, isError = false } = outcome;
  const value = structured?.value;
  const all = [content ?? null, value ?? null, meta ?? null];
  // What writes itself is not what was measured, and one that throws would take the whole answer down.
  if (measureJson(all, ANSWER_LIMITS) === undefined || holdsWriter(all)) {
    return failureAnswer("failed", UNSENDABLE);
  }
  const shown = withoutReservedKeys(meta);
  return {
    content: content ?? [envelope({ status: "completed", ...(structured !== undefined && { value }) })],
    ...(structured !== undefined && { structured }),
    isError,
    ...(shown !== undefined && { meta: shown }),
  };
}

/** A failure as the caller sees it. A status out of the closed set, whatever a session made up. */
export function failureAnswer(status: FailureStatus, message?: string): ToolAnswer {
  const known = Object.hasOwn(SENTENCES, status) ? status : "failed";
  const said =
    typeof message === "string" && message !== "" ? message.slice(0, MESSAGE_LIMIT) : SENTENCES[known];
  return { content: [envelope({ status: known, message: said })], isError: true };
}

/** The tool ended, and what it answered is nothing that MCP could carry. */
export function unsendableAnswer(): ToolAnswer {
  return failureAnswer("failed", UNSENDABLE);
}

function envelope(value: JsonObject): JsonObject {
  return { type: "text", text: JSON.stringify(value) };
}
