import { describeSourceWarning } from "../../domain/definition/refusal-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { lookedAt } from "./looked-at.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { listedProblem, listedServer } from "./server-row.ts";
import type { ListedServer } from "./server-row.ts";
import { withHost } from "./with-host.ts";

/** Cells of a terminal that an endpoint may take in the table; `explain` shows all of it. */
const ENDPOINT_LIMIT = 60;

/**
 * Prints every server. The code is 2 when a source could not be read, since the list may lack servers then; what
 * could be read is printed all the same.
 */
export const list: Command = (context) =>
  withHost(context, "answers", async (host) => {
    const { line, output } = context;
    const servers = host.servers().map(listedServer);
    const sourceProblems = host.sourceProblems.map(listedProblem);
    if (line.json) {
      output.answer(jsonDocument({ servers, sourceProblems }));
    } else {
      output.answer(servers.length === 0 ? await nothingThere(context, host) : await serverTable(servers));
      for (const text of below(servers, host.sourceWarnings)) output.answer(`${oneLine(text)}\n`);
    }
    // On stderr, so that whoever reads only the answer's shape still learns why the code is not 0.
    for (const { text } of sourceProblems) output.note(`sallyport: ${text}`);
    return sourceProblems.length === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  });

async function serverTable(servers: readonly ListedServer[]): Promise<string> {
  const { formatTable } = await import("../../adapters/terminal/table.ts");
  const table = await formatTable(
    [
      { title: "NAME" },
      { title: "SOURCE" },
      { title: "TRANSPORT" },
      { title: "STATUS" },
      { title: "APPROVAL" },
      { title: "ENDPOINT", limit: ENDPOINT_LIMIT },
    ],
    servers.map((server) => [
      server.name,
      server.source,
      server.transport ?? "-",
      server.status,
      approvalCell(server),
      server.endpoint ?? "-",
    ]),
  );
  return `${table}\n`;
}

/** Where a server could have been configured, and where other hosts have theirs. */
async function nothingThere({ line }: CommandContext, host: McpHost): Promise<string> {
  const places = await lookedAt(line, host.workspace !== undefined);
  const lines = places.map(({ source, path }) => oneLine(`  ${source}: ${escapeForDisplay(path)}`));
  const { foreignFiles } = await import("./foreign-files.ts");
  const others = line.config.length > 0 || host.workspace === undefined ? [] : await foreignFiles(line);
  const hints = others.map((file) => `There is ${file}; read it with --config project:${file}`);
  return `${["No server is configured. Looked for:", ...lines, ...hints].join("\n")}\n`;
}

function approvalCell({ approval: { status, reason } }: ListedServer): string {
  return reason === undefined ? status : `${status} (${reason})`;
}

/** What needs a look, below the table: entries first, then sources. What could not be read at all is on stderr. */
function* below(
  servers: readonly ListedServer[],
  sourceWarnings: McpHost["sourceWarnings"],
): Generator<string> {
  for (const { name, problem, unsetVariables, notes } of servers) {
    if (problem !== undefined) yield `${name}: ${problem.text}`;
    for (const { note, text } of notes) if (note === "ignored") yield `${name}: note: ${text}`;
    for (const { variable, path } of unsetVariables) {
      yield `${name}: the variable ${variable} in \`${path}\` has no value.`;
    }
  }
  for (const warning of sourceWarnings) yield describeSourceWarning(warning);
}
