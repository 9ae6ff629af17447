import type { JsonSchema } from "../catalog/catalog.ts";
import { holdsWriter, isJsonObject, measureJson, type JsonSize } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { AgentTool } from "./agent.ts";
import type { ServedCatalogReason, ServedCatalogRefusal } from "./refusal.ts";
import { submitToolOf, type SubmitToolName } from "./submit-tool.ts";

/** As what is discovered is bounded (K1): 10,000 tools, 16 MiB of text in the whole list. */
const TOOL_LIMIT = 10_000;
const CATALOG_LIMITS: JsonSize = { values: 1_000_000, depth: 256, text: 16 * 1024 * 1024 };

/**
 * Checks the tools that a session says it has, and adds the submission tool (R1). Names, descriptions and schemas are
 * kept as they are.
 */
export function checkCatalog(
  tools: unknown,
  { submitTool }: { readonly submitTool?: SubmitToolName | undefined },
): Outcome<readonly AgentTool[], ServedCatalogRefusal> {
  if (!Array.isArray(tools) || tools.length > TOOL_LIMIT || !tools.every(isTool))
    return no("tools-unreadable");
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length) return no("duplicate-tool");
  if (submitTool === undefined) return accept(tools);
  return names.has(submitTool.name) ? no("submit-tool-name") : accept([...tools, submitToolOf(submitTool)]);
}

/**
 * The tools as they are listed: the fields of a tool alone, within the bounds of a list. An input schema that names no
 * type is one of objects, as arguments are: a client that misses the word would refuse the whole list.
 */
export function listedTools(
  tools: readonly AgentTool[],
): Outcome<readonly AgentTool[], ServedCatalogRefusal> {
  const listed = tools.map(knownFields);
  const unsendable = measureJson(listed, CATALOG_LIMITS) === undefined || holdsWriter(listed);
  return unsendable ? no("tools-unreadable") : accept(listed);
}

function isTool(tool: unknown): tool is AgentTool {
  if (!isJsonObject(tool)) return false;
  const { name, inputSchema } = tool;
  return typeof name === "string" && name !== "" && isJsonObject(inputSchema);
}

function knownFields({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: AgentTool): AgentTool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: withType(inputSchema),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}

function withType(schema: JsonSchema): JsonSchema {
  return isJsonObject(schema) && schema["type"] === undefined ? { type: "object", ...schema } : schema;
}

function no(reason: ServedCatalogReason): Outcome<never, ServedCatalogRefusal> {
  return refuse({ kind: "served-catalog", reason });
}
