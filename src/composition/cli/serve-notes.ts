import type { SourceProblem } from "../../domain/definition/container.ts";
import { describeDefinitionRefusal } from "../../domain/definition/refusal-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { ServerNotice } from "../serve/gateway.ts";
import type { CommandContext } from "./command.ts";
import { oneLine } from "./output.ts";
import { fixOf, named, shownFailure, withFix } from "./report.ts";
import { fixLine } from "./shell-line.ts";

/** Tells on stderr how servers stand: that one is up is no news, unless it was down. */
export function createServerNotes({
  line,
  output,
}: Pick<CommandContext, "line" | "output">): (notice: ServerNotice) => void {
  const down = new Set<string>();
  return ({ serverId, state, failure }) => {
    const name = oneLine(escapeForDisplay(serverId));
    if (state === "incomplete") output.note(`sallyport: the list of ${name} could not be read to its end`);
    if (state === "gone")
      output.note(`sallyport: ${name} is not configured or not approved any more, and not served`);
    if (state === "lost")
      output.note(`sallyport: the connection to ${name} was lost; it is made again when it can be`);
    if (state === "up" && down.has(serverId)) output.note(`sallyport: ${name} is back`);
    if (state === "up" || state === "incomplete") down.delete(serverId);
    else down.add(serverId);
    if (state !== "down") return;
    if (failure === undefined) {
      output.note(`sallyport: ${name} is not served: it could not be asked`);
      return;
    }
    const error = shownFailure(failure);
    output.note(
      `sallyport: not served: ${withFix(named(serverId, error.message), fixOf(failure.refusal, line))}`,
    );
    if (error.said !== undefined) output.note(`sallyport: the server says: ${error.said}`);
  };
}

/** Tells what cannot be read since the last look: its servers are not served as long as that is so. */
export function createSourceNotes({
  output,
}: Pick<CommandContext, "output">): (problems: readonly SourceProblem[]) => void {
  let told: ReadonlySet<string> | undefined;
  return (problems) => {
    const now = new Set(problems.map((problem) => describeDefinitionRefusal(problem)));
    // The first ones were told when the configuration was read.
    const before = told ?? now;
    for (const sentence of now) if (!before.has(sentence)) output.note(`sallyport: ${sentence}`);
    told = now;
  };
}

/** Names what is configured and left out, which a client cannot see. */
export function noteLeftOut({ line, output }: Pick<CommandContext, "line" | "output">, host: McpHost): void {
  const left = host
    .servers()
    .filter(({ server, approval }) => server.status !== "disabled" && approval?.status !== "approved")
    .map(({ server }) => oneLine(escapeForDisplay(server.name)));
  if (left.length === 0) return;
  const see = fixLine(line, ["list"]);
  output.note(`sallyport: not approved or not usable, and so not served: ${left.join(", ")}; see ${see}`);
}
