/**
 * Runs the official conformance suite's server scenarios against `test/conformance/server.ts`: `node
 * scripts/conformance-server.ts`. Every scenario that a revision requires is either served, and then passes whole, or
 * stands below with why it is not. Ends with `N passed, N failed, N skipped`; exit code 1 when anything failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { NOT_SERVED, SERVED, UNMET } from "./conformance-server-scenarios.ts";
import { REVISIONS, type Revision } from "./conformance-scenarios.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
/** Of one revision's scenarios together, in milliseconds. */
const RUN_LIMIT_MS = 120_000;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly text: string;
}

const counts = { passed: 0, failed: 0, skipped: 0 };

function report(word: keyof typeof counts, label: string, details: readonly string[] = []): void {
  counts[word] += 1;
  process.stdout.write(
    [`${word.padEnd(7)} ${label}`, ...details.map((line) => `        ${line}`), ""].join("\n"),
  );
}

/** What each scenario came to, by its name. */
async function runRevision(revision: Revision, url: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-suite-"));
  try {
    const args = [
      "--no-deprecation",
      SUITE,
      "server",
      "--url",
      url,
      "--requirements",
      revision,
      "-o",
      folder,
    ];
    const suite = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore", timeout: RUN_LIMIT_MS });
    await once(suite, "close");
    const runs = (await readdir(folder)).map(async (run) => {
      const name = run.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
      return [name, await readChecks(join(folder, run, "checks.json"))] as const;
    });
    return new Map(await Promise.all(runs));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readChecks(file: string): Promise<readonly Check[]> {
  const found: readonly Readonly<Record<string, unknown>>[] = JSON.parse(await readFile(file, "utf8"));
  return found.map(({ status, errorMessage, id }) => ({
    id: String(id),
    status: String(status),
    text: `${String(id)}: ${String(errorMessage)}`,
  }));
}

function judge(revision: Revision, scenario: string, checks: readonly Check[]): void {
  const label = `${revision} ${scenario}`;
  const failing = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const unmet = UNMET[scenario] ?? [];
  const problems = [
    ...failing.filter(({ id }) => !unmet.includes(id)).map(({ text }) => text),
    ...unmet.filter((id) => failing.every((check) => check.id !== id)).map((id) => `${id} passes`),
  ];
  const isPassed = problems.length === 0 && checks.some(({ status }) => status === "SUCCESS");
  const reason = NOT_SERVED[label] ?? NOT_SERVED[scenario];
  if (SERVED[revision].includes(scenario)) report(isPassed ? "passed" : "failed", label, problems);
  else if (reason === undefined) report("failed", label, ["stands in neither list"]);
  else report("skipped", label, [reason]);
}

async function startServer(): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const server = spawn(process.execPath, ["test/conformance/server.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url]: readonly string[] = await once(createInterface(server.stdout), "line");
  return { server, url: url ?? "" };
}

const { server, url } = await startServer();
try {
  for (const revision of REVISIONS) {
    const ran = await runRevision(revision, url);
    for (const [scenario, checks] of ran) judge(revision, scenario, checks);
    for (const scenario of SERVED[revision].filter((name) => !ran.has(name))) {
      report("failed", `${revision} ${scenario}`, ["was not run"]);
    }
  }
} finally {
  server.kill();
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
