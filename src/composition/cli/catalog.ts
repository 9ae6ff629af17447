import { escapeForDisplay } from "../../domain/display-text.ts";
import type { ServerState } from "../host/host-catalog.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { itemRows, rejectedRows, serverCode, serverRow } from "./catalog-rows.ts";
import type { CatalogKind, ServerRow } from "./catalog-rows.ts";
import { answerChanges, changeRows, notePins } from "./changes.ts";
import { catalogLines } from "./catalog-text.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES, worstOf } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { fixOf, named, withFix } from "./report.ts";
import type { ServerStderr } from "./server-stderr.ts";
import { withHost } from "./with-host.ts";

/**
 * Connects side by side and prints one kind of list. Everything that was asked for is in the answer, failed or
 * not; the code is that of the worst failure. Without names every approved server is asked for, and what is not
 * approved is a hint on stderr, not a failure.
 */
function catalog(kind: CatalogKind): Command {
  return (context) =>
    withHost(context, "needs", async (host, stderr) => {
      const { line, output, signal } = context;
      const names = [...new Set(line.operands)];
      const answer = await host.catalog({ ...(names.length > 0 && { names }), kinds: [kind], signal });
      const changes = changeRows(answer.changes);
      const rows = {
        kind,
        servers: answer.servers.map((server) => serverRow(server, kind)),
        items: itemRows(answer, kind),
        rejected: rejectedRows(answer, kind),
      };
      if (line.changes) answerChanges(context, rows.servers, changes);
      else if (line.json) {
        const { servers, items, rejected } = rows;
        output.answer(jsonDocument({ servers, [kind]: items, rejected }));
      } else {
        for (const text of catalogLines(rows)) output.answer(`${oneLine(text)}\n`);
      }
      noteFailures(context, rows.servers, { states: answer.servers, stderr });
      notePins(context, answer.servers, line.changes ? [] : changes);
      if (names.length === 0) hintLeftOut(context, host);
      // A source that could not be read was told already; without names the answer may lack its servers.
      const partial = names.length === 0 && host.sourceProblems.length > 0;
      const codes = answer.servers.map((server) => serverCode(server, kind));
      return worstOf(partial ? [...codes, EXIT_CODES.usage] : codes);
    });
}

interface Failures {
  /** In the order of the rows. */
  readonly states: readonly ServerState[];
  readonly stderr: ServerStderr;
}

function noteFailures(
  { line, output }: CommandContext,
  rows: readonly ServerRow[],
  { states, stderr }: Failures,
): void {
  for (const [index, { name, error }] of rows.entries()) {
    if (error === undefined) continue;
    const state = states[index];
    const refusal = state === undefined || state.state === "connected" ? undefined : state.error.refusal;
    const fix = refusal === undefined ? undefined : fixOf(refusal, line);
    output.note(`sallyport: ${withFix(named(name, error.message), fix)}`);
    if (error.said !== undefined) output.note(`sallyport: ${named(name, `the server says: ${error.said}`)}`);
    if (refusal !== undefined) stderr.explain(name, refusal);
  }
}

export const tools: Command = catalog("tools");
export const prompts: Command = catalog("prompts");
export const resources: Command = catalog("resources");

/** Names at most, so that a long list does not bury the answer. */
const HINT_LIMIT = 10;

function hintLeftOut({ output }: CommandContext, host: McpHost): void {
  const left = host.servers().filter(({ server, approval }) => {
    return server.status !== "resolved" || approval?.status !== "approved";
  });
  if (left.length === 0) return;
  const shown = left
    .slice(0, HINT_LIMIT)
    .map(({ server, approval }) => {
      const why = server.status === "resolved" ? (approval?.status ?? "pending") : server.status;
      return `${escapeForDisplay(server.name)} (${why})`;
    })
    .join(", ");
  const more = left.length > HINT_LIMIT ? `, and ${left.length - HINT_LIMIT} more` : "";
  output.note(`sallyport: left out: ${shown}${more}; see \`sallyport list\``);
}
