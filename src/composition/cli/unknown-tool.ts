import { cutText } from "../../domain/catalog/untrusted-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { closestNames } from "./closest-names.ts";
import type { CommandContext } from "./command.ts";
import { fixLine } from "./shell-line.ts";

const SHOWN_CHARS = 100;

/**
 * Says that no tool has this name, and what helps. `candidates` are the servers whose tools the call has listed to find it:
 * nobody else is asked for a suggestion.
 */
export async function describeUnknownTool(
  name: string,
  candidates: readonly string[],
  { host, context }: { readonly host: McpHost; readonly context: CommandContext },
): Promise<string> {
  const shown = escapeForDisplay(cutText(name, SHOWN_CHARS));
  const there = fixLine(context.line, ["tools"]);
  const nothing = `there is no tool "${shown}"`;
  if (candidates.length === 0) {
    return `${nothing}: a tool's name begins with that of an approved server, as in SERVER__TOOL; to list them: ${there}`;
  }
  const { signal } = context;
  const { tools } = await host.catalog({ names: candidates, kinds: ["tools"], signal });
  const closest = closestNames(name, [...tools.values()]);
  const meant =
    closest.length === 0 ? "" : `; did you mean ${closest.map((one) => `"${one}"`).join(" or ")}?`;
  return `${nothing}${meant === "" ? "; to list them" : `${meant} To list them`}: ${there}`;
}
