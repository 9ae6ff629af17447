import type {
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentTool,
  InvocationOptions,
} from "../../src/ports/agent-session.ts";

const NEVER = new AbortController().signal;
/** The smallest of their kinds: one red pixel, and no sound at all. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const text = (said: string) => ({ type: "text", text: said });
const resource = (uri: string) => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: "This is an embedded resource content." },
});

function answer(...content: readonly { readonly [key: string]: unknown }[]): AgentOutcome {
  return { status: "completed", content };
}

/** The schema that has to be listed as it is, keyword by keyword. */
const SCHEMA_2020_12: AgentTool["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // A computed key: an object with a `then` of its own would look like a promise.
  ["then" as string]: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

type Run = (options: InvocationOptions) => AgentOutcome | Promise<AgentOutcome>;

type Field = Extract<AgentPrompt, { readonly kind: "form" }>["form"]["fields"][number];

const named = (name: string, type: "text" | "boolean"): Field => ({ name, type, required: true });

/** Puts a form of one field for each field, one after another, and says what became of them. */
function asking(...fields: readonly Field[]): Run {
  return async ({ ask }) => {
    const said: string[] = [];
    for (const field of fields) {
      const form = { message: `What about ${field.name}?`, fields: [field] };
      const answered = await ask?.({ kind: "form", from: "conformance", form }, { signal: NEVER });
      said.push(answered?.kind === "form" ? answered.answer.action : "nobody");
    }
    return answer(text(`state-ok ${said.join(" ")}`));
  };
}

/** A session with the suite's fixture tools, as far as a session can express them (R1, R2, R10). */
export function createConformanceSession(): AgentSession {
  const listeners = new Set<() => void>();
  const tools: Readonly<Record<string, readonly [description: string, run: Run]>> = {
    test_simple_text: [
      "Says a simple text",
      () => answer(text("This is a simple text response for testing.")),
    ],
    test_image_content: [
      "Answers with an image",
      () => answer({ type: "image", data: PNG, mimeType: "image/png" }),
    ],
    test_audio_content: [
      "Answers with a sound",
      () => answer({ type: "audio", data: WAV, mimeType: "audio/wav" }),
    ],
    test_embedded_resource: ["Answers with a resource", () => answer(resource("test://embedded-resource"))],
    test_multiple_content_types: [
      "Answers with a text, an image and a resource",
      () =>
        answer(
          text("Multiple content types test:"),
          { type: "image", data: PNG, mimeType: "image/png" },
          resource("test://mixed-content-resource"),
        ),
    ],
    test_error_handling: [
      "Fails",
      () => ({ status: "failed", message: "This tool intentionally returns an error for testing" }),
    ],
    test_tool_with_progress: [
      "Reports progress",
      ({ onProgress }) => {
        for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 });
        return answer(text("done"));
      },
    ],
    test_streaming_elicitation: ["Asks once", asking(named("name", "text"))],
    test_input_required_result_elicitation: ["Asks once", asking(named("name", "text"))],
    test_input_required_result_request_state: ["Asks once", asking(named("ok", "boolean"))],
    test_input_required_result_tampered_state: ["Asks once", asking(named("ok", "boolean"))],
    test_input_required_result_multi_round: [
      "Asks twice",
      asking(named("name", "text"), named("color", "text")),
    ],
    test_trigger_tool_change: [
      "Tells that the tools changed",
      () => {
        for (const listener of listeners) listener();
        return answer(text("changed"));
      },
    ],
    json_schema_2020_12_tool: ["Has a schema of many keywords", () => answer(text("ok"))],
  };
  return {
    tools: () =>
      Promise.resolve(
        Object.entries(tools).map(([name, [description]]) => ({
          name,
          description,
          inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA_2020_12 : { type: "object" },
        })),
      ),
    invoke: async (toolName, _args, options) =>
      (await tools[toolName]?.[1](options)) ?? { status: "unknown-tool" },
    onToolsChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
