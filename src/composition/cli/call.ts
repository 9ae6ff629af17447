import type { CatalogTool } from "../../domain/catalog/catalog.ts";
import { mayBeNamed } from "../../domain/catalog/tool-name.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { UsageProblem } from "./usage-problem.ts";
import { createTerminalAsk } from "./ask-form.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { oneLine } from "./output.ts";
import { reportAs, reportFailure } from "./report.ts";
import { answerResult } from "./result-answer.ts";
import { fixLine, withOperand } from "./shell-line.ts";
import { joinArguments, parseArguments, splitArguments } from "./tool-arguments.ts";
import type { WrittenArgument } from "./tool-arguments.ts";
import type { ServerStderr } from "./server-stderr.ts";
import { describeUnknownTool } from "./unknown-tool.ts";
import { withHost } from "./with-host.ts";

/** Calls one tool once. What is wrong with the arguments' form is told before anything is started. */
export const call: Command = async (context) => {
  const { line, output } = context;
  const written = splitArguments(line.toolArguments);
  const base = written.ok ? await baseArguments(context) : written;
  const problem = !written.ok ? written.refusal : base.ok ? undefined : base.refusal;
  if (!written.ok || !base.ok) {
    output.note(`sallyport: ${problem ?? ""}`);
    return EXIT_CODES.usage;
  }
  return withHost(context, "needs", (host, stderr) =>
    callTool(context, host, { stderr, base: base.value, written: written.value }),
  );
};

interface GivenArguments {
  readonly base: unknown;
  readonly written: readonly WrittenArgument[];
  readonly stderr: ServerStderr;
}

async function callTool(context: CommandContext, host: McpHost, given: GivenArguments): Promise<ExitCode> {
  const { line, output, signal, watched } = context;
  const [name = ""] = line.operands;
  const schema = given.written.length === 0 ? undefined : (await findTool(name, context, host))?.inputSchema;
  const args = joinArguments(given.base, given.written, schema);
  if (!args.ok) {
    output.note(`sallyport: ${args.refusal}`);
    return EXIT_CODES.usage;
  }
  const answer = await host.call(name, args.value, {
    signal,
    ask: createTerminalAsk(context),
    ...(line.timeoutMs !== undefined && { timeoutMs: line.timeoutMs }),
    ...(watched && {
      onProgress: ({ progress, total, message }) =>
        output.note(`… ${progress}${total === undefined ? "" : `/${total}`} ${oneLine(message ?? "")}`),
    }),
  });
  if (!answer.ok) {
    const names = candidatesOf(name, host);
    const { refusal } = answer.refusal;
    if (refusal.kind === "call" && refusal.reason === "unknown-tool") {
      return reportAs(context, refusal, await describeUnknownTool(name, names, { host, context }));
    }
    for (const server of names) given.stderr.explain(server, refusal);
    return reportFailure(context, answer.refusal, serverMeant(refusal, names));
  }
  const { tool, result, change } = answer.value;
  if (change !== undefined) {
    const see = fixLine(line, withOperand(["tools"], ["--changes"], tool.serverId));
    output.note(`sallyport: this tool is ${change} since the tools of its server were pinned; see ${see}`);
  }
  return answerResult(context, tool, result);
}

/** An empty object where nothing was given. */
async function baseArguments(context: CommandContext): Promise<Outcome<unknown, UsageProblem>> {
  const [, text] = context.line.operands;
  if (text === undefined) return accept({});
  if (text !== "-") return parseArguments(text);
  const input = await context.readInput();
  if (input === undefined) return refuse("standard input is larger than 8 MiB, or no UTF-8 text");
  return parseArguments(input);
}

/** The schema says which `--arg` is a text. Lists the same servers that the call connects, once for both. */
async function findTool(
  name: string,
  { signal }: CommandContext,
  host: McpHost,
): Promise<CatalogTool | undefined> {
  const names = candidatesOf(name, host);
  return names.length === 0
    ? undefined
    : (await host.catalog({ names, kinds: ["tools"], signal })).tools.get(name);
}

/** The approved servers that a tool of this name can be of. */
function candidatesOf(name: string, host: McpHost): readonly string[] {
  return host
    .servers()
    .filter(
      ({ server, approval }) =>
        server.status === "resolved" && approval?.status === "approved" && mayBeNamed(name, server.name),
    )
    .map(({ server }) => server.name);
}

/** What is wrong with the call itself is about no server. */
function serverMeant({ kind }: Refusal, candidates: readonly string[]): string | undefined {
  return kind === "call" || kind === "result" || candidates.length > 1 ? undefined : candidates[0];
}
