import type { ToolChange } from "../../domain/activation/pins.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { changeLines, changeRows } from "./changes.ts";
import type { ChangeRow } from "./changes.ts";
import type { Command, CommandContext } from "./command.ts";
import { askConsent } from "./consent.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { reportFailure, reportRefusal } from "./report.ts";
import { withHost } from "./with-host.ts";

interface Shown {
  readonly change: ToolChange;
  readonly row: ChangeRow;
}

/**
 * Shows what differs from the pins of one server, asks, and pins exactly what was shown (A7). With names, of the server
 * or of the catalog, only those tools. Without a yes nothing is written.
 */
export const accept: Command = (context) =>
  withHost(context, "needs", async (host, stderr) => {
    const [name = "", ...wanted] = context.line.operands;
    const catalog = await host.catalog({ names: [name], kinds: ["tools"], signal: context.signal });
    const [server] = catalog.servers;
    if (server !== undefined && server.state !== "connected") {
      stderr.explain(name, server.error.refusal);
      return reportFailure(context, server.error, name);
    }
    if (server?.pinProblem !== undefined) return reportRefusal(context, server.pinProblem);
    const rows = changeRows(catalog.changes);
    const all = catalog.changes.flatMap((change, index): readonly Shown[] => {
      const row = rows[index];
      return row === undefined ? [] : [{ change, row }];
    });
    const unknown = wanted.find((word) => !all.some((shown) => means(word, shown)));
    if (unknown !== undefined) {
      context.output.note(
        `sallyport: ${escapeForDisplay(unknown)} is no tool that differs from what was pinned; nothing was written`,
      );
      return EXIT_CODES.usage;
    }
    const chosen =
      wanted.length === 0 ? all : all.filter((shown) => wanted.some((word) => means(word, shown)));
    return acceptShown(context, host, chosen);
  });

function means(word: string, { change, row }: Shown): boolean {
  return word === change.name || word === row.name;
}

async function acceptShown(
  context: CommandContext,
  host: McpHost,
  shown: readonly Shown[],
): Promise<ExitCode> {
  const { line, output } = context;
  const [name = "", ...wanted] = line.operands;
  if (shown.length > 0) {
    for (const { row } of shown) for (const text of changeLines(row)) output.note(text);
    const consent = await askConsent(context, {
      question: `Accept these tools of ${escapeForDisplay(name)} as they are now?`,
      fix: ["accept", "--yes", "--", name, ...wanted],
    });
    if (!consent) return EXIT_CODES.denied;
    const accepted = await host.acceptTools(
      name,
      shown.map(({ change }) => change),
    );
    if (!accepted.ok) return reportRefusal(context, accepted.refusal);
  }
  const rows = shown.map(({ row: { name: tool, sourceName, change } }) => ({
    name: tool,
    sourceName,
    change,
  }));
  const text = rows.length === 0 ? "nothing to accept" : `accepted ${rows.map((row) => row.name).join(", ")}`;
  output.answer(
    line.json ? jsonDocument({ server: escapeForDisplay(name), accepted: rows }) : `${oneLine(text)}\n`,
  );
  return EXIT_CODES.done;
}
