import { accept } from "../outcome.ts";
import type { DefinitionNote, TransportKind } from "./definition.ts";
import { own, type JsonObject } from "../json-value.ts";
import { hasField, problem, type Read } from "./fields.ts";

/** Every accepted spelling of `type` (D4). A map, so that `constructor` is no transport. */
const SPELLINGS: ReadonlyMap<string, TransportKind> = new Map([
  ["stdio", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamableHttp", "http"],
  ["sse", "sse"],
  ["ws", "ws"],
]);

const STDIO_FIELDS = ["command", "args", "cwd"] as const;
const HTTP_FIELDS = ["url", "headers", "oauth", "headersHelper"] as const;

export interface DecodedTransport {
  readonly transport: TransportKind;
  readonly note: DefinitionNote | undefined;
}

/** Settles the transport, and that no field of the other one is there (D4). */
export function decodeTransport(entry: JsonObject): Read<DecodedTransport> {
  const settled = hasField(entry, "type") ? readType(own(entry, "type")) : inferTransport(entry);
  if (!settled.ok) return settled;
  const stdio = settled.value.transport === "stdio";
  const foreign = (stdio ? HTTP_FIELDS : STDIO_FIELDS).find((field) => hasField(entry, field));
  if (foreign !== undefined) {
    const expected = stdio ? "no such field on a stdio server" : "no such field on a server with a `url`";
    return problem("wrong-transport-field", foreign, expected);
  }
  return settled;
}

function readType(type: unknown): Read<DecodedTransport> {
  const expected = "`stdio` or `http`";
  if (typeof type !== "string") return problem("invalid-type", "type", expected);
  const transport = SPELLINGS.get(type);
  if (transport === undefined) return problem("unknown-transport", "type", expected);
  const note: DefinitionNote | undefined =
    transport === type ? undefined : { note: "transport-alias", alias: type };
  return accept({ transport, note });
}

function inferTransport(entry: JsonObject): Read<DecodedTransport> {
  const command = hasField(entry, "command");
  const url = hasField(entry, "url");
  if (command && url) return problem("ambiguous-transport", "type", "`command` or `url`, not both");
  if (!command && !url) return problem("missing-field", "type", "`command` or `url`");
  const transport = command ? "stdio" : "http";
  return accept({ transport, note: { note: "transport-inferred", transport } });
}
