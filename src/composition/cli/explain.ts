import type { Command } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { explainServer } from "./explanation.ts";
import { explanationLines } from "./explanation-text.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { reportRefusal } from "./report.ts";
import { withHost } from "./with-host.ts";

/** Explains one name, whatever its status. Starts, contacts and writes nothing. */
export const explain: Command = (context) =>
  withHost(context, "answers", async (host) => {
    const { line, output } = context;
    const [name = ""] = line.operands;
    const server = host.server(name);
    if (server === undefined) {
      return reportRefusal(context, { kind: "host", reason: "unknown-server", serverId: name });
    }
    const explanation = explainServer({
      server,
      changes: host.changes(name),
      proposal: await host.propose(name),
    });
    if (line.json) output.answer(jsonDocument(explanation));
    else for (const text of explanationLines(explanation)) output.answer(`${oneLine(text)}\n`);
    return EXIT_CODES.done;
  });
