import { realpath } from "node:fs/promises";

import { escapeForDisplay } from "../../domain/display-text.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { Command, CommandContext } from "./command.ts";
import { askConsent } from "./consent.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { reportRefusal } from "./report.ts";
import { workspaceFolder } from "./start-folder.ts";
import { withHost } from "./with-host.ts";

/** Trusts the workspace: its servers may be approved from now on; none is by that alone. */
export const trust: Command = (context) =>
  withHost(context, "ignores", async (host) => {
    if (host.workspace === undefined) return noWorkspace(context);
    const folder = await shownFolder(context);
    context.output.note(`workspace: ${folder}`);
    const question = "Trust this folder, so that servers that its files configure can be approved?";
    const consent = await askConsent(context, { question, fix: ["trust", "--yes"] });
    return consent ? changeTrust(true, { context, host, folder }) : EXIT_CODES.denied;
  });

/** Withdraws that trust. Like every no, it needs no question. */
export const untrust: Command = (context) =>
  withHost(context, "ignores", async (host) => {
    if (host.workspace === undefined) return noWorkspace(context);
    return changeTrust(false, { context, host, folder: await shownFolder(context) });
  });

function noWorkspace(context: CommandContext): ExitCode {
  return reportRefusal(context, { kind: "host", reason: "no-workspace", serverId: "" });
}

async function shownFolder(context: CommandContext): Promise<string> {
  return escapeForDisplay(await realpath(workspaceFolder(context.line)));
}

async function changeTrust(
  trusted: boolean,
  around: { readonly context: CommandContext; readonly host: McpHost; readonly folder: string },
): Promise<ExitCode> {
  const { context, host, folder } = around;
  const changed = await host.setTrusted(trusted);
  if (!changed.ok) return reportRefusal(context, changed.refusal);
  const { repositoryIdentity, generation } = changed.value;
  const { line, output } = context;
  output.answer(
    line.json
      ? jsonDocument({ workspace: folder, trusted, repositoryIdentity, generation })
      : `${oneLine(`${trusted ? "trusted" : "no longer trusted"}: ${folder}`)}\n`,
  );
  return EXIT_CODES.done;
}
