import type { McpHost } from "../host/mcp-host.ts";
import type { Command } from "./command.ts";
import { answerDecision } from "./decision.ts";
import { reportRefusal } from "./report.ts";
import { withHost } from "./with-host.ts";

/** Saying no needs no question, no flag and no readable configuration (A4). */
function denial(decision: "reject" | "revoke"): Command {
  return (context) =>
    withHost(context, "ignores", async (host: McpHost) => {
      const [name = ""] = context.line.operands;
      const before = host.server(name)?.approval?.status;
      const decided = await host[decision](name);
      if (!decided.ok) return reportRefusal(context, decided.refusal);
      const again = before === (decision === "revoke" ? "revoked" : "rejected");
      return answerDecision(context, decided.value, again ? "already" : "now");
    });
}

export const reject: Command = denial("reject");
export const revoke: Command = denial("revoke");
