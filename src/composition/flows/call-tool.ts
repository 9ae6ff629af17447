import { checkArguments, type SchemaCheck } from "../../domain/catalog/arguments.ts";
import type { CatalogTool, JsonSchema } from "../../domain/catalog/catalog.ts";
import type { CallResult } from "../../domain/catalog/content-part.ts";
import { checkStructured, decodeCallResult } from "../../domain/catalog/content.ts";
import type { SchemaProfile } from "../../domain/catalog/profile-rules.ts";
import { rulesOf } from "../../domain/catalog/profile-schema.ts";
import { narrowedInput, profileTool } from "../../domain/catalog/profile-tool.ts";
import { createProfileUndo } from "../../domain/catalog/profile-undo.ts";
import type { CallRefusal, ResultRefusal } from "../../domain/catalog/refusal.ts";
import type { HeaderPair } from "../../domain/http/headers.ts";
import { parameterHeaders } from "../../domain/http/parameter-headers.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import type { SchemaValidator } from "../../ports/schema-validator.ts";
import { admitResult } from "./admit-result.ts";
import type { CallOptions, McpSession, SessionCallFailure } from "./mcp-session.ts";

/**
 * What can come back instead of a result: nothing was sent (`call`), what the connection failed with, or an answer
 * that was too large to hand over and could not be kept (`result`).
 */
export type ToolCallFailure = PeerFailure | { readonly refusal: CallRefusal | ResultRefusal };

/** A tool as a host registers it, under the name of the catalog. Name and schema are safe, its words are not. */
export interface DiscoveredTool {
  readonly name: string;
  readonly serverId: string;
  /** The server's own name for it. */
  readonly sourceName: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Narrowed, or as the model API of `schemaProfile` takes it. Calls are checked against the narrowed one either way. */
  readonly inputSchema: CatalogTool["inputSchema"];
  readonly annotations: CatalogTool["annotations"];
  /**
   * Checks the arguments and calls the tool, once. Arguments that do not fit are refused with the places and
   * what was expected, and nothing is sent (K5). A tool that failed is a result with `isError`; a result that
   * misses its output schema is reported on it (K8), one that is too large is kept apart (K7). For aborts and deadlines see `McpSession.callTool`.
   */
  call(args: unknown, options?: CallOptions): Promise<Outcome<CallResult, ToolCallFailure>>;
}

/**
 * Makes a host-ready tool of an admitted one. Its schemas are compiled at its first call.
 *
 * @throws TypeError when the tool is another server's
 */
export function createDiscoveredTool(
  tool: CatalogTool,
  options: {
    readonly session: Pick<McpSession, "serverId" | "callTool">;
    readonly validator: SchemaValidator;
    /** Keeps results above the tool's limit (K7). Left out: such a result is refused with `result/too-large`. */
    readonly spill?: ResultSpill;
    /**
     * Whether arguments that the server asks for in headers are sent there as well (K5b), where everything between here
     * and the server can read and log them. Default: no.
     */
    readonly mirrorArguments?: boolean;
    /**
     * The model API that `inputSchema` is made for (K4). What its arguments say otherwise than the server's own would is
     * undone before they are checked. Default: the tool's own profile, where it comes of a host that has one, else none.
     */
    readonly schemaProfile?: SchemaProfile;
  },
): DiscoveredTool {
  const { session, validator, spill, mirrorArguments = false, schemaProfile } = options;
  const shown = schemaProfile === undefined ? tool : profileTool(tool, schemaProfile);
  if (tool.serverId !== session.serverId) throw new TypeError("the tool is of another server");
  const { name, serverId, sourceName, title, description, inputSchema, outputSchema, annotations } = shown;
  const fit = fitting(shown, compiledOnce(validator, narrowedInput(shown)));
  const checkOutput = outputSchema === undefined ? undefined : compiledOnce(validator, outputSchema);
  return {
    name,
    serverId,
    sourceName,
    title,
    description,
    inputSchema,
    annotations,
    async call(args, call) {
      const admitted = fit(args);
      if (!admitted.ok) return { ok: false, refusal: { refusal: admitted.refusal } };
      const headers = mirrorArguments ? mirror(tool, admitted.value) : accept([]);
      if (!headers.ok) return { ok: false, refusal: { refusal: headers.refusal } };
      const mirrored = headers.value.length > 0 && { parameterHeaders: headers.value };
      const answer = await session.callTool(sourceName, admitted.value, { ...call, ...mirrored });
      if (!answer.ok) return mirrorArguments ? answer : explainMissingHeaders(answer, tool);
      const result = decodeCallResult(answer.value);
      const checked = checkOutput === undefined ? result : checkStructured(result, checkOutput);
      const handed = await admitResult(checked, { tool, raw: answer.value, spill });
      return handed.ok ? handed : { ok: false, refusal: { refusal: handed.refusal } };
    },
  };
}

/**
 * Checks arguments against the narrowed schema (K5), after what a profile made of them is undone. Whatever fits the
 * narrowed schema as it is given stays as it is where undoing would take that away.
 */
function fitting(
  { profiled }: CatalogTool,
  check: SchemaCheck,
): (args: unknown) => Outcome<JsonObject, CallRefusal> {
  if (profiled === undefined) return (args) => checkArguments(check, args);
  const undo = createProfileUndo(profiled.narrowed, rulesOf(profiled.profile));
  return (args) => {
    const undone = undo(args);
    const fit = checkArguments(check, undone);
    if (fit.ok || undone === args) return fit;
    const asGiven = checkArguments(check, args);
    return asGiven.ok ? asGiven : fit;
  };
}

/** An argument that fits the schema may still not fit a header: then nothing is sent either. */
function mirror(
  { parameterHeaders: declared = [] }: CatalogTool,
  args: JsonObject,
): Outcome<readonly HeaderPair[], CallRefusal> {
  const headers = parameterHeaders(declared, args);
  if (headers.ok) return headers;
  return refuse({ kind: "call", reason: "invalid-arguments", mismatches: [headers.refusal] });
}

/** 2026-07-28, Server Validation: sent before anything is done, by a server that goes by its headers. */
const HEADER_MISMATCH = -32_020;

function explainMissingHeaders<Value>(
  answer: Outcome<Value, SessionCallFailure> & { readonly ok: false },
  { parameterHeaders: declared = [] }: CatalogTool,
): Outcome<never, ToolCallFailure> {
  const { refusal } = answer.refusal;
  const isMismatch = refusal.reason === "protocol-error" && refusal.code === HEADER_MISMATCH;
  if (!isMismatch || declared.length === 0) return answer;
  return refuse({ refusal: { kind: "call", reason: "headers-not-allowed" } });
}

function compiledOnce(validator: SchemaValidator, schema: JsonSchema): SchemaCheck {
  let check: SchemaCheck | undefined;
  return (value) => {
    check ??= validator.compile(schema);
    return check(value);
  };
}
