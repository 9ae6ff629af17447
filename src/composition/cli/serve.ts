import { createSystemClock } from "../../adapters/system/clock.ts";
import { McpServeError } from "../../domain/serve/serve-error.ts";
import type { AgentSession } from "../../ports/agent-session.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { McpHostError } from "../host/mcp-host-error.ts";
import { createGatewaySession, type GatewaySession, type ServerNotice } from "../serve/gateway.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { reportRefusal } from "./report.ts";
import type { ServeFlags } from "./serve-flags.ts";
import { createServerNotes, createSourceNotes, noteLeftOut } from "./serve-notes.ts";
import { watchApprovals } from "./serve-watch.ts";
import { VERSION } from "./version.ts";
import { withHost } from "./with-host.ts";

/** How the gateway names itself to its clients, and what it does for them. */
const SERVED = { name: "sallyport", version: VERSION, submitTool: false, askClient: true } as const;

/** One way to reach the gateway: serves until it is over or the signal says so. */
export type Carry = (context: CommandContext, session: AgentSession) => Promise<ExitCode>;

/** Puts every approved server behind one MCP endpoint, until its client or a signal ends it (R11). Never asks (M6). */
export const serve: Command = async (context) => {
  const flags = context.line.serve ?? { over: "stdio" };
  const carry = await carrierOf(flags, context);
  if (typeof carry !== "function") return carry;
  return withHost(context, "needs", (host) => serveHost(context, host, carry), {
    // One call that is cancelled is one call.
    cancel: "notify",
  });
};

async function carrierOf(flags: ServeFlags, context: CommandContext): Promise<Carry | ExitCode> {
  if (flags.over === "stdio") return overStdio;
  const { overLoopback, overNetwork } = await import("./serve-http.ts");
  return flags.over === "loopback" ? overLoopback(flags, context) : overNetwork(flags, context);
}

async function serveHost(context: CommandContext, host: McpHost, carry: Carry): Promise<ExitCode> {
  const clock = createSystemClock();
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const tell = createServerNotes(context);
  // At the end every server goes: that is no news.
  const onServer = (notice: ServerNotice): void => (signal.aborted ? undefined : tell(notice));
  const session = createGatewaySession(host, { clock, onServer });
  const tellSources = createSourceNotes(context);
  const refresh = (): void => {
    tellSources(host.sourceProblems);
    session.refresh();
  };
  noteLeftOut(context, host);
  refresh();
  const watched = watchApprovals(host, { refresh }, { clock, signal }).then(
    () => EXIT_CODES.done,
    (error: unknown) => {
      ending.abort();
      if (error instanceof McpHostError) return reportRefusal(context, error.refusal);
      throw error;
    },
  );
  try {
    const code = await carry({ ...context, signal }, asServed(session));
    ending.abort();
    return code === EXIT_CODES.done ? await watched : code;
  } finally {
    ending.abort();
    session.close();
    await watched.catch(() => undefined);
  }
}

/**
 * A host looks at the tools once before it serves (R1). That is no client's list: it takes what is there, so that the
 * handshake waits for no server.
 */
function asServed(session: GatewaySession): AgentSession {
  let looked = false;
  return {
    ...session,
    tools: async (options) => {
      if (looked) return session.tools(options);
      looked = true;
      return [];
    },
  };
}

async function overStdio(context: CommandContext, session: AgentSession): Promise<ExitCode> {
  const { output, signal } = context;
  // A person who typed it would look at nothing, and wait.
  if (process.stdin.isTTY)
    output.note("sallyport: this speaks MCP on standard input; an MCP client starts it");
  const { createMcpTransport } = await import("../serve/stdio.ts");
  const transport = createMcpTransport(SERVED);
  const stop = (): void => void transport.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    transport.attach(session);
    await transport.start();
    if (signal.aborted) stop();
    await transport.waitForClose();
    return EXIT_CODES.done;
  } catch (error) {
    if (signal.aborted) return EXIT_CODES.done;
    // Its input ended before anybody said a word.
    if (error instanceof McpServeError && error.code !== "catalog") return EXIT_CODES.done;
    output.note("sallyport: the gateway could not be started");
    return EXIT_CODES.unexpected;
  } finally {
    signal.removeEventListener("abort", stop);
    await transport.stop();
  }
}
