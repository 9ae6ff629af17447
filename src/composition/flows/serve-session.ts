import type { JsonSchema } from "../../domain/catalog/catalog.ts";
import { measureJson, type JsonObject, type JsonSize } from "../../domain/json-value.ts";
import { refuse, type Outcome } from "../../domain/outcome.ts";
import type { AgentOutcome, AgentTool } from "../../domain/serve/agent.ts";
import { checkCatalog } from "../../domain/serve/check-catalog.ts";
import { failureAnswer, toolAnswer, type ToolAnswer } from "../../domain/serve/envelope.ts";
import { describeServedCatalogRefusal } from "../../domain/serve/refusal-text.ts";
import type { ServedCatalogRefusal } from "../../domain/serve/refusal.ts";
import { promptOf, type SubmitToolName } from "../../domain/serve/submit-tool.ts";
import type { AgentSession, InvocationOptions } from "../../ports/agent-session.ts";

/** Of the arguments and `_meta` of one call together. Our choice; a carrier's bound on bytes says nothing of depth. */
export const CALL_LIMITS: JsonSize = { values: 200_000, depth: 128, text: 8 * 1024 * 1024 };

const TOO_MUCH = "The arguments are too large or too deep.";

export interface SessionServing {
  readonly session: AgentSession;
  /** Left out: no turn can be submitted. */
  readonly submitTool?: SubmitToolName | undefined;
}

export interface Invoked {
  readonly answer: ToolAnswer;
  readonly outputSchema?: JsonSchema;
}

/** Reads and checks the session's tools. A session that throws has no tools, and why stays with it. */
export async function readCatalog(
  { session, submitTool }: SessionServing,
  { signal }: { readonly signal: AbortSignal },
): Promise<Outcome<readonly AgentTool[], ServedCatalogRefusal>> {
  try {
    return checkCatalog(await session.tools({ signal }), { submitTool });
  } catch {
    return refuse({ kind: "served-catalog", reason: "tools-unreadable" });
  }
}

/** Invokes one tool of the session, or submits a turn (R2). Never rejects, and no thrown text comes out. */
export async function invokeTool(
  serving: SessionServing,
  {
    toolName,
    args,
    options,
  }: { readonly toolName: string; readonly args: JsonObject; readonly options: InvocationOptions },
): Promise<Invoked> {
  const { session, submitTool } = serving;
  const { signal } = options;
  if (measureJson([args, options.meta ?? null], CALL_LIMITS) === undefined) {
    return { answer: failureAnswer("invalid-arguments", TOO_MUCH) };
  }
  const catalog = await readCatalog(serving, { signal });
  if (signal.aborted) return { answer: failureAnswer("cancelled") };
  if (!catalog.ok) return { answer: failureAnswer("failed", describeServedCatalogRefusal(catalog.refusal)) };
  const tool = catalog.value.find(({ name }) => name === toolName);
  if (tool === undefined) return { answer: failureAnswer("unknown-tool") };
  if (toolName !== submitTool?.name) {
    const answer = await ended(() => session.invoke(toolName, args, options), { signal });
    return { answer, ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }) };
  }
  const prompt = promptOf(args);
  if (prompt === undefined) return { answer: failureAnswer("invalid-arguments") };
  const submit = async (): Promise<AgentOutcome> =>
    (await session.submit?.(prompt, options)) ?? { status: "failed" };
  return { answer: await ended(submit, { signal }) };
}

async function ended(
  run: () => Promise<AgentOutcome>,
  { signal }: { readonly signal: AbortSignal },
): Promise<ToolAnswer> {
  try {
    return toolAnswer(await run());
  } catch {
    return failureAnswer(signal.aborted ? "cancelled" : "failed");
  }
}
