import * as v from "valibot";

/** What the suite tells its client: one argument, three variables. */
export interface CommandInput {
  readonly url: string;
  readonly scenario: string;
  readonly era: "legacy" | "2026-07-28";
  readonly context: Context;
}

/** Of some scenarios: the client to be, and the calls to make. */
export interface Context {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly private_key_pem?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const text = v.optional(v.string());
const toolCall = v.object({ name: v.string(), arguments: v.record(v.string(), v.unknown()) });
const context = v.object({
  client_id: text,
  client_secret: text,
  private_key_pem: text,
  toolCalls: v.optional(v.array(toolCall)),
});

export function readCommandInput(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandInput {
  const url = argv[2];
  const scenario = environment["MCP_CONFORMANCE_SCENARIO"];
  const version = environment["MCP_CONFORMANCE_PROTOCOL_VERSION"];
  if (url === undefined || scenario === undefined || version === undefined) {
    throw new Error("this program is run by the conformance suite");
  }
  return {
    url,
    scenario,
    era: version === "2026-07-28" ? version : "legacy",
    context: v.parse(context, JSON.parse(environment["MCP_CONFORMANCE_CONTEXT"] ?? "{}")),
  };
}
