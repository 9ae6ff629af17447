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
      const decided = await host[decision](name);
      return decided.ok ? answerDecision(context, decided.value) : reportRefusal(context, decided.refusal);
    });
}

export const reject: Command = denial("reject");
export const revoke: Command = denial("revoke");
