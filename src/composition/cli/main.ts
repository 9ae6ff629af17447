import { parseCommandLine } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { createOutput } from "./output.ts";
import type { Output } from "./output.ts";
import { listenForEnd } from "./signals.ts";
import type { Verb } from "./verbs.ts";

/** Each verb is loaded when it is asked for: `--help` and `list` never pay for a connection. */
const COMMANDS: Readonly<Record<Verb, () => Promise<Command>>> = {
  list: async () => (await import("./list.ts")).list,
  explain: async () => (await import("./explain.ts")).explain,
  approve: async () => (await import("./approve.ts")).approve,
  reject: async () => (await import("./deny.ts")).reject,
  revoke: async () => (await import("./deny.ts")).revoke,
  trust: async () => (await import("./trust.ts")).trust,
  untrust: async () => (await import("./trust.ts")).untrust,
  tools: async () => (await import("./catalog.ts")).tools,
  accept: async () => (await import("./accept.ts")).accept,
  prompts: async () => (await import("./catalog.ts")).prompts,
  resources: async () => (await import("./catalog.ts")).resources,
  skills: async () => (await import("./skills.ts")).skills,
  call: async () => (await import("./call.ts")).call,
  login: async () => (await import("./login.ts")).login,
  logout: async () => (await import("./logout.ts")).logout,
  auth: async () => (await import("./auth.ts")).auth,
  result: async () => (await import("./result.ts")).result,
  serve: async () => (await import("./serve.ts")).serve,
  audit: async () => (await import("./audit.ts")).audit,
};

/** Runs the command of a process and leaves its code behind. Nothing that it prints is cut off. */
export async function main(args: readonly string[]): Promise<void> {
  const output = createOutput(process.stdout, process.stderr);
  // A fault nobody foresaw must not print its stack: messages of libraries hold bodies and tokens.
  process.on("uncaughtException", (error) => {
    sayFault(output, error);
    void output.flush().then(() => process.exit(EXIT_CODES.unexpected));
  });
  const end = listenForEnd();
  const code = await run(args, output, end.signal);
  const answered = await output.flush();
  process.exitCode = answered || code !== EXIT_CODES.done ? code : EXIT_CODES.unexpected;
  if (!answered) process.stderr.write("sallyport: the answer could not be written\n");
  end.settle();
}

async function run(args: readonly string[], output: Output, signal: AbortSignal): Promise<ExitCode> {
  const parsed = parseCommandLine(args);
  if (!parsed.ok) {
    output.note(`sallyport: ${parsed.refusal}`);
    return EXIT_CODES.usage;
  }
  const invocation = parsed.value;
  switch (invocation.do) {
    case "help":
      output.answer((await import("./help.ts")).helpText(invocation.verb));
      return EXIT_CODES.done;
    case "version":
      output.answer(`${(await import("./version.ts")).VERSION}\n`);
      return EXIT_CODES.done;
    case "run":
      break;
  }
  try {
    const command = await COMMANDS[invocation.line.verb]();
    return await command(contextOf(invocation.line, output, signal));
  } catch (error) {
    if (signal.aborted) output.note("sallyport: interrupted");
    else sayFault(output, error);
    return EXIT_CODES.unexpected;
  }
}

function contextOf(line: CommandContext["line"], output: Output, signal: AbortSignal): CommandContext {
  return {
    line,
    output,
    signal,
    watched: process.stderr.isTTY,
    person: async () => {
      const { createTerminalPerson } = await import("../../adapters/terminal/person.ts");
      return createTerminalPerson({ input: process.stdin, output: process.stderr });
    },
    openPage: async (url, call) => (await import("./open-page.ts")).openPage(url, call),
    readInput: async () => {
      const { readText } = await import("../../adapters/terminal/input.ts");
      return readText(process.stdin, { signal });
    },
  };
}

/** A fault is told by its closed code or its class, never by its message. */
function sayFault(output: Output, error: unknown): void {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const name = error instanceof Error ? error.constructor.name : typeof error;
  const told = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(code) ? code : name;
  output.note(
    `sallyport: something went wrong that should not have (${told}); its details are not shown, as they may hold secrets`,
  );
}
