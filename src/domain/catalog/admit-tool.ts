import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { RejectReason } from "./adapt-reason.ts";
import { admitText, bucketFor } from "./admit-text.ts";
import type { Reasons } from "./admit-text.ts";
import type { AdaptReason, CatalogTool, JsonSchema } from "./catalog.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { ParameterHeader } from "../http/parameter-headers.ts";
import { readParameterHeaders } from "./mirrored-arguments.ts";
import { narrowOutputSchema, narrowSchema } from "./narrow-schema.ts";
import { readResultSize, RESULT_SIZE_PATH } from "./result-size.ts";
import { catalogName } from "./tool-name.ts";

export interface ToolOrigin {
  readonly serverId: string;
  readonly sourceName: string;
  /** Before 2026-07-28 an output schema is an object; another one is dropped with a note. */
  readonly era: "legacy" | "modern";
  readonly carrier: "http" | "stdio";
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** Admits one tool of a raw list, whose name has been checked already. Refuses by what its schema lacks. */
export function admitTool(item: JsonObject, origin: ToolOrigin): Outcome<CatalogTool, RejectReason> {
  const { serverId, sourceName } = origin;
  const input = narrowSchema(own(item, "inputSchema"));
  if (!input.ok) return refuse(input.refusal.reason);
  const headers = askedHeaders(item, origin);
  if (!headers.ok) return headers;
  const reasons: Reasons = [];
  const name = catalogName(serverId, "tool", sourceName);
  if (!name.endsWith(`__${sourceName}`)) reasons.push({ reason: "name-altered", path: "/name" });
  const title = admitText(item, "title", reasons);
  const description = admitText(item, "description", reasons);
  reasons.push(...input.value.reasons.map((reason) => below("/inputSchema", reason)));
  const outputSchema = admitOutputSchema(own(item, "outputSchema"), origin.era, reasons);
  const annotations = admitAnnotations(own(item, "annotations"), reasons);
  if (needsTask(own(item, "execution"))) reasons.push({ reason: "task-required", path: "/execution" });
  const resultSize = readResultSize(own(item, "_meta"));
  if (resultSize === "ignored") reasons.push({ reason: "result-size-ignored", path: RESULT_SIZE_PATH });
  const asksForHeaders = headers.value.length > 0;
  if (asksForHeaders) reasons.push({ reason: "arguments-in-headers", path: "/inputSchema" });
  return accept({
    name,
    serverId,
    sourceName,
    bucket: bucketFor(reasons),
    reasons,
    title,
    description,
    inputSchema: input.value.schema,
    outputSchema,
    annotations,
    ...(typeof resultSize === "number" && { resultSizeChars: resultSize }),
    ...(asksForHeaders && { parameterHeaders: headers.value }),
  });
}

/** Only Streamable HTTP of 2026-07-28 has such headers; anywhere else the keyword means nothing. */
function askedHeaders(
  item: JsonObject,
  { era, carrier }: ToolOrigin,
): Outcome<readonly ParameterHeader[], RejectReason> {
  return era === "modern" && carrier === "http" ? readParameterHeaders(own(item, "inputSchema")) : accept([]);
}

function below(prefix: string, { reason, path }: AdaptReason): AdaptReason {
  return { reason, path: prefix + (path ?? "") };
}

function admitOutputSchema(raw: unknown, era: "legacy" | "modern", reasons: Reasons): JsonSchema | undefined {
  if (raw === undefined || raw === null) return undefined;
  const narrowed = era === "modern" ? narrowOutputSchema(raw) : narrowSchema(raw);
  if (!narrowed.ok) {
    reasons.push({ reason: "output-schema-dropped", path: "/outputSchema" });
    return undefined;
  }
  reasons.push(...narrowed.value.reasons.map((reason) => below("/outputSchema", reason)));
  return narrowed.value.schema;
}

/* Hints of an untrusted server: booleans of the four known names, and nothing that could carry text. */
function admitAnnotations(raw: unknown, reasons: Reasons): Readonly<Record<string, boolean>> {
  if (raw === undefined || raw === null) return {};
  if (!isJsonObject(raw)) {
    reasons.push({ reason: "annotation-dropped", path: "/annotations" });
    return {};
  }
  const kept: [string, boolean][] = [];
  for (const hint of HINTS) {
    const value = own(raw, hint);
    if (typeof value === "boolean") kept.push([hint, value]);
    else if (value !== undefined && value !== null) {
      reasons.push({ reason: "annotation-dropped", path: `/annotations/${hint}` });
    }
  }
  return Object.fromEntries(kept);
}

/* Such a tool answers an ordinary call with an error; it is the host's to show and the server's to say. */
function needsTask(execution: unknown): boolean {
  return isJsonObject(execution) && own(execution, "taskSupport") === "required";
}
