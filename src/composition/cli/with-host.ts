import { homedir } from "node:os";
import { resolve } from "node:path";

import type { SourceProblem } from "../../domain/definition/container.ts";
import { describeDefinitionRefusal } from "../../domain/definition/refusal-text.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { createMcpHost } from "../host/create-mcp-host.ts";
import type { McpHostOptions } from "../host/host-options.ts";
import { McpHostError } from "../host/mcp-host-error.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { configPlaces } from "./places.ts";
import { createServerStderr } from "./server-stderr.ts";
import type { ServerStderr } from "./server-stderr.ts";
import { callersFolder, workspaceFolder } from "./start-folder.ts";
import { VERSION } from "./version.ts";

/** What a verb does about sources that cannot be read. */
export type SourcePolicy =
  /** They are part of its answer. */
  | "answers"
  /** It does not need them: saying no must not depend on a file that is broken. */
  | "ignores"
  /** It tells them, and does nothing at all when one of them was named on the command line. */
  | "needs";

/** Verbs that go on after their answer: only they have a use for what changes later. */
const LONG_LIVED: ReadonlySet<string> = new Set(["serve"]);

/**
 * Verbs that list or call tools (A7). They all tell servers the same: a server that has more tools for whoever can be asked
 * would otherwise list one thing to `accept` and another to `call`.
 */
const PINNED: ReadonlySet<string> = new Set(["tools", "call", "accept", "serve"]);

/**
 * Makes the host of a command, lets `work` use it, and closes it: also when the command is interrupted, at
 * once, so that no child outlives it.
 */
export async function withHost(
  context: CommandContext,
  sources: SourcePolicy,
  work: (host: McpHost, stderr: ServerStderr) => Promise<ExitCode>,
  choices: Pick<McpHostOptions, "cancel"> = {},
): Promise<ExitCode> {
  const { line, output, signal } = context;
  const folder = callersFolder();
  const places = configPlaces(line.config, folder, { workspace: workspaceFolder(line), home: homedir() });
  if (!places.ok) {
    output.note(`sallyport: ${places.refusal}`);
    return EXIT_CODES.usage;
  }
  const stderr = createServerStderr(output, line.serverStderr);
  let host: McpHost;
  try {
    host = await openHost(context, {
      workspace: workspaceFolder(line),
      clientInfo: { name: "sallyport", version: VERSION },
      ...(line.home !== undefined && { home: resolve(folder, line.home) }),
      ...(places.value.length > 0 && { places: places.value }),
      onServerStderr: stderr.onLine,
      ...pinsOf(line),
      elicitation: PINNED.has(line.verb),
      lists: { follow: LONG_LIVED.has(line.verb) },
      // A command that ends soon starts nothing behind the person's back (M6).
      reconnect: LONG_LIVED.has(line.verb) ? "all" : "none",
      ...choices,
    });
  } catch (error) {
    if (error instanceof McpHostError) return report(context, error.refusal);
    throw error;
  }
  const close = (): void => void host.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    const blocked = sources === "needs" ? blockingProblem(context, host) : undefined;
    return blocked === undefined ? await work(host, stderr) : await report(context, blocked);
  } finally {
    signal.removeEventListener("abort", close);
    await host.close();
    stderr.tell();
  }
}

/** What the person settled counts where a tool could be listed or called; saying no must not depend on that file. */
function pinsOf({ verb, pins }: CommandContext["line"]): Pick<McpHostOptions, "pins"> {
  return pins === undefined && !PINNED.has(verb) ? {} : { pins: pins ?? "settled" };
}

/** The sentences of every area are loaded when there is something to tell. */
async function report(context: CommandContext, refusal: Refusal): Promise<ExitCode> {
  return (await import("./report.ts")).reportRefusal(context, refusal);
}

/**
 * The current folder is a workspace only by default. Where it holds Sallyport's own home (a person's home
 * folder does) it cannot be one, and the command goes on without: that only narrows what there is.
 */
async function openHost(context: CommandContext, options: McpHostOptions): Promise<McpHost> {
  try {
    return await createMcpHost(options);
  } catch (error) {
    const byDefault = context.line.workspace === undefined;
    const nested = error instanceof McpHostError && error.refusal.reason === "home-in-workspace";
    if (!nested || !byDefault) throw error;
    context.output.note(
      "sallyport: the current folder and Sallyport's home are inside each other, so it is not used as a workspace; name one with --workspace",
    );
    const { workspace: _, ...rest } = options;
    return createMcpHost(rest);
  }
}

/** Tells what could not be read. A file that was named on the command line and is not readable ends it. */
function blockingProblem({ line, output }: CommandContext, host: McpHost): SourceProblem | undefined {
  const [first, ...others] = host.sourceProblems;
  const named = line.config.length > 0;
  for (const problem of named ? others : host.sourceProblems) {
    output.note(`sallyport: ${describeDefinitionRefusal(problem)}`);
  }
  return named ? first : undefined;
}
