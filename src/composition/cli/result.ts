import type { Command } from "./command.ts";
import { reportRefusal } from "./report.ts";
import { answerResult } from "./result-answer.ts";
import { withHost } from "./with-host.ts";

/** Prints a result that was too large for `call`, whole (K7). Contacts nobody, and needs no readable configuration. */
export const result: Command = (context) =>
  withHost(context, "ignores", async (host) => {
    const [reference = ""] = context.line.operands;
    const kept = await host.result(reference, { signal: context.signal });
    if (!kept.ok) return reportRefusal(context, kept.refusal);
    const { tool: name, serverId, sourceName, result: whole } = kept.value;
    return answerResult(context, { name, serverId, sourceName }, whole);
  });
