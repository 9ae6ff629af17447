import type { ApprovalProposal } from "../../domain/host/approval-proposal.ts";
import type { HostServer, McpHost } from "../host/mcp-host.ts";
import type { Command, CommandContext } from "./command.ts";
import { answerDecision } from "./decision.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { explainServer } from "./explanation.ts";
import { explanationLines, needFlags } from "./explanation-text.ts";
import { askConsent } from "./consent.ts";
import { reportRefusal } from "./report.ts";
import { fixLine, withOperand } from "./shell-line.ts";
import { withHost } from "./with-host.ts";

/**
 * Shows everything that changes authority, asks, and approves exactly what was shown: what changed between the
 * showing and the yes is refused. Without a yes nothing is written.
 */
export const approve: Command = (context) =>
  withHost(context, "needs", async (host) => {
    const [name = ""] = context.line.operands;
    const server = host.server(name);
    if (server === undefined) {
      return reportRefusal(context, { kind: "host", reason: "unknown-server", serverId: name });
    }
    // Before anything is shown: what is in an untrusted folder is not worth a look at its details (A4).
    if (server.approval?.status === "untrusted" && host.workspace !== undefined) {
      const refusal = { kind: "activation-decision", reason: "untrusted", serverId: name } as const;
      return reportRefusal(context, refusal);
    }
    return approveShown(server, name, { host, context });
  });

interface Around {
  readonly host: McpHost;
  readonly context: CommandContext;
}

async function approveShown(server: HostServer, name: string, { host, context }: Around): Promise<ExitCode> {
  const { line, output } = context;
  const terms = { allowEnv: line.allowEnv, allowShell: line.allowShell };
  const proposal = await host.propose(name, terms);
  if (!proposal.ok) return reportRefusal(context, proposal.refusal);
  const explanation = explainServer({ server, changes: proposal.value.changes, proposal });
  for (const text of explanationLines(explanation)) output.note(text);

  const missing = missingAllowance(proposal.value);
  if (missing !== undefined) {
    const flags = [...flagsGiven(context), ...needFlags(explanation.needs)];
    return reportRefusal(context, missing, fixLine(line, withOperand(["approve"], flags, name)));
  }
  if (explanation.obstacle !== undefined) {
    const { message } = explanation.obstacle;
    output.note(`sallyport: ${explanation.name} cannot be used as it is, approved or not: ${message}`);
  }
  const consent = await askConsent(context, {
    question: `Approve ${explanation.name}?`,
    fix: withOperand(["approve"], [...flagsGiven(context), "--yes"], name),
  });
  if (!consent) return EXIT_CODES.denied;
  const approved = await host.approve(name, { ...terms, seen: proposal.value });
  return approved.ok ? answerDecision(context, approved.value) : reportRefusal(context, approved.refusal);
}

/** M4: told before anybody is asked, with every flag at once. */
function missingAllowance({ missing, subject: { serverId } }: ApprovalProposal) {
  if (missing.envKeys.length > 0) {
    return { kind: "host", reason: "needs-allow-env", serverId, keys: missing.envKeys } as const;
  }
  return missing.shell ? ({ kind: "host", reason: "needs-allow-shell", serverId } as const) : undefined;
}

function flagsGiven({ line }: CommandContext): readonly string[] {
  return needFlags({ allowEnv: line.allowEnv, allowShell: line.allowShell });
}
