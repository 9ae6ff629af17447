import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { TestContext } from "node:test";

import { parseCommandLine } from "../../src/composition/cli/arguments.ts";
import type { Command } from "../../src/composition/cli/command.ts";
import type { ExitCode } from "../../src/composition/cli/exit-code.ts";
import { oneLine } from "../../src/composition/cli/output.ts";
import type { PageOpening } from "../../src/ports/page-opener.ts";
import type { Consent } from "../../src/ports/person.ts";
import { FakePerson } from "./fake-person.ts";
import { hostFolders, type HostFolders } from "./hosts.ts";

const CLI = fileURLToPath(new URL("../../src/composition/cli.ts", import.meta.url));

/** What a command left behind. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Written to standard input, which then ends; the input is never a terminal. */
  readonly input?: string;
  /** Beside PATH, HOME and SALLYPORT_HOME. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A workspace, a home, and the real command in a process of its own. */
export interface CommandPlace extends HostFolders {
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

export async function commandPlace(t: TestContext, mcpServers: unknown): Promise<CommandPlace> {
  const folders = await hostFolders(t, mcpServers);
  const { workspace, home } = folders;
  const start: CommandPlace["start"] = (args, { environment = {} } = {}) => {
    const env = { PATH: process.env["PATH"], HOME: home, SALLYPORT_HOME: home, ...environment };
    const child = spawn(process.execPath, [CLI, ...args], { cwd: workspace, env });
    t.after(() => child.kill("SIGKILL"));
    return child;
  };
  return {
    ...folders,
    start,
    run: async (args, options = {}) => {
      const child = start(args, options);
      child.stdin.end(options.input ?? "");
      return ended(child);
    },
  };
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  const exit = new Promise<Pick<Ran, "code" | "signal">>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { ...end, stdout, stderr };
}

/** Trusts the workspace and approves the named servers by the command itself. */
export async function approveByCommand(place: CommandPlace, ...names: readonly string[]): Promise<void> {
  for (const args of [["trust", "--yes"], ...names.map((name) => ["approve", name, "--yes"])]) {
    const ran = await place.run(args);
    assert.equal(ran.code, 0, ran.stderr);
  }
}

export interface InsideOptions {
  /** What the person says when asked; called with the question. Default: there is nobody. */
  readonly answer?: (question: string) => Promise<Consent>;
  /** What the person types, a line for each question, once they are asked for a line or instead of `answer`. */
  readonly lines?: readonly string[];
  /** Plays the browser. Default: there is none. */
  readonly openPage?: (url: string) => Promise<PageOpening>;
  /** Sees each line of stderr when it is written. */
  readonly onNote?: (line: string) => void;
  /** Standard input. */
  readonly input?: string;
  /** Whether a person is at a terminal. Default: no. */
  readonly watched?: boolean;
}

export interface RanInside {
  readonly code: ExitCode;
  readonly stdout: string;
  /** Lines of stderr, as a terminal would get them. */
  readonly notes: readonly string[];
  readonly asked: readonly string[];
  /** Pages that a browser was to be opened for. */
  readonly opened: readonly string[];
}

/** Runs one verb in this process, with a person who says what the test wants. */
export async function runInside(
  command: Command,
  folders: HostFolders,
  args: readonly string[],
  { answer, lines, openPage = async () => "failed", input, watched = false, onNote }: InsideOptions = {},
): Promise<RanInside> {
  const places = [`--workspace=${folders.workspace}`, `--home=${folders.home}`];
  const parsed = parseCommandLine([...places, ...args]);
  assert.ok(parsed.ok && parsed.value.do === "run");
  let stdout = "";
  const notes: string[] = [];
  const asked: string[] = [];
  const opened: string[] = [];
  const person = new FakePerson(lines ?? "nobody");
  const code = await command({
    line: parsed.value.line,
    output: {
      answer: (added) => void (stdout += added),
      note: (line) => {
        notes.push(oneLine(line));
        onNote?.(oneLine(line));
      },
      flush: async () => true,
    },
    person: async () => ({
      confirm: async (question, options) => {
        asked.push(question);
        return answer === undefined ? person.confirm(question, options) : answer(question);
      },
      line: (prompt, options) => {
        asked.push(prompt);
        return person.line(prompt, options);
      },
    }),
    openPage: async (url) => {
      opened.push(url);
      return openPage(url);
    },
    readInput: async () => input,
    watched,
    signal: new AbortController().signal,
  });
  return { code, stdout, notes, asked, opened };
}
