import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { RECORD_VARIABLE, type RunRecord } from "../test/conformance/run-record.ts";
import type { Revision } from "./conformance-scenarios.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The package exports nothing to resolve; its command is this file. */
const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
/** The suite parts its command at white space: a relative path in the repository has none. */
const CLIENT = "exec node test/conformance/client.ts";
/** Of one scenario, in milliseconds. The suite's own limit comes first, and ends the client. */
const CLIENT_LIMIT_MS = 40_000;
const RUN_LIMIT_MS = 60_000;

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly text: string;
}

/** What one scenario came to. The suite's exit code is one witness of three. */
export interface ScenarioRun {
  /** `undefined`: it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly checks: readonly Check[];
  /** Absent: our client left none, so it never came to its own end. */
  readonly record: RunRecord | undefined;
}

/** Runs one scenario of the official suite against our client, alone. */
export async function runScenario(scenario: string, revision?: Revision): Promise<ScenarioRun> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-suite-"));
  try {
    const recordPath = join(folder, "record.json");
    const args = ["client", "--command", CLIENT, "--scenario", scenario, "-o", join(folder, "results")];
    if (revision !== undefined) args.push("--spec-version", revision, "--force");
    const exitCode = await runSuite([...args, "--timeout", String(CLIENT_LIMIT_MS)], {
      [RECORD_VARIABLE]: recordPath,
    });
    return { exitCode, checks: await readChecks(folder), record: await readRecord(recordPath) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The client scenarios that a revision requires, as the suite says. */
export async function listRequired(revision: Revision): Promise<readonly string[]> {
  const printed: string[] = [];
  await runSuite(["list", "--requirements", revision], {}, (text) => printed.push(text));
  const [, clientPart = ""] = printed.join("").split("\nClient scenarios");
  const [required = ""] = clientPart.split("\n\n");
  return [...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}

function runSuite(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  onText: (text: string) => void = () => undefined,
): Promise<number | undefined> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  // A group of its own: a suite that hangs is ended with everything that it started.
  const child = spawn(process.execPath, ["--no-deprecation", SUITE, ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  child.stdout.setEncoding("utf8").on("data", onText);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => endGroup(child.pid), RUN_LIMIT_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve(code ?? undefined);
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

async function readChecks(folder: string): Promise<readonly Check[]> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith("checks.json"));
  if (file === undefined) return [];
  const found: unknown = JSON.parse(await readFile(join(folder, file), "utf8"));
  return Array.isArray(found) ? found.map(readCheck) : [];
}

function readCheck(value: unknown): Check {
  const { id, status, errorMessage, description } = value as Readonly<Record<string, unknown>>;
  return { id: String(id), status: String(status), text: String(errorMessage ?? description) };
}

async function readRecord(path: string): Promise<RunRecord | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as RunRecord;
  } catch {
    return undefined;
  }
}
