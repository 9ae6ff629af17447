import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";

import { isJsonObject } from "../../domain/json-value.ts";
import type { AskedForm, Asking, ServedCall } from "../../ports/served-agent.ts";

/** The one question of a round: a client is asked one thing at a time. */
export const ASK_KEY = "ask";

/** As long as a state of a round lives (R10): the SDK's own 60 s are no time for a person. */
const ANSWER_TIMEOUT_MS = 30 * 60_000;

/**
 * How the client of one request can be asked: not at all unless it declared forms (R10). 2026-07-28 is asked by
 * rounds on every carrier; before it, during the call, where the carrier has a way back.
 */
export function askingOf(
  context: ServerContext,
  { server, canAskDuring }: { readonly server: Server; readonly canAskDuring: boolean },
): Asking {
  const { envelope } = context.mcpReq;
  if (envelope !== undefined) {
    const declared = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
    return takesForms(declared) ? { kind: "rounds" } : { kind: "none" };
  }
  // Of the connection, which `initialize` told: the revisions before 2026-07-28 say it nowhere else.
  return canAskDuring && takesForms(server.getClientCapabilities())
    ? { kind: "during", ask: (form, options) => elicit(context, form, options) }
    : { kind: "none" };
}

/** `elicitation: {}` is forms, as before there were modes; with modes, `form` has to be one of them. */
function takesForms(capabilities: unknown): boolean {
  if (!isJsonObject(capabilities)) return false;
  const { elicitation } = capabilities;
  return isJsonObject(elicitation) && (isJsonObject(elicitation["form"]) || elicitation["url"] === undefined);
}

async function elicit(
  { mcpReq }: ServerContext,
  form: AskedForm,
  { signal }: { readonly signal: AbortSignal },
): Promise<unknown> {
  // The SDK tells the client an abort's reason: this one has none of ours to tell.
  const withdrawal = new AbortController();
  const withdraw = (): void => withdrawal.abort("withdrawn");
  if (signal.aborted) withdraw();
  signal.addEventListener("abort", withdraw, { once: true });
  try {
    return await mcpReq.send(
      { method: "elicitation/create", params: elicitationParams(form) },
      { signal: withdrawal.signal, timeout: ANSWER_TIMEOUT_MS },
    );
  } finally {
    signal.removeEventListener("abort", withdraw);
  }
}

type ElicitationParams = Extract<Parameters<Server["elicitInput"]>[0], { readonly requestedSchema: unknown }>;

export function elicitationParams({ message, requestedSchema }: AskedForm): ElicitationParams {
  // `as`: `formSchema` wrote it, out of the same five kinds of fields that the SDK's type lists.
  return { message, requestedSchema: requestedSchema as ElicitationParams["requestedSchema"] };
}

/** What a client brought back from an earlier round. */
export function roundOf({ mcpReq }: ServerContext): ServedCall["round"] {
  const state: unknown = mcpReq.requestState();
  if (typeof state !== "string") return undefined;
  return { state, said: mcpReq.inputResponses?.[ASK_KEY] };
}
