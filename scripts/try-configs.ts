/**
 * Reads every file of a folder as a configuration and counts what became of it.
 *
 * `node scripts/try-configs.ts [FOLDER]` – by default `../shared/cases/configs` beside the repository, which
 * only its authors have: without the folder it says so and exits 0. Each entry has to decode or to have one
 * problem with a reason; anything thrown, and any shown text that holds a configured secret, is a failure.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { createFileConfigSource } from "../src/adapters/files/config-source.ts";
import type { Container } from "../src/domain/definition/container.ts";
import { formatOfPath, type ConfigFormat } from "../src/domain/definition/foreign/format.ts";
import { coveredFields } from "../src/domain/definition/fingerprint.ts";
import { secretsOf } from "../src/domain/definition/known-secrets.ts";
import { projectServer } from "../src/domain/definition/projection.ts";
import { describeDefinitionRefusal } from "../src/domain/definition/refusal-text.ts";
import type { Resolution, ResolvedServer } from "../src/domain/definition/resolution.ts";
import { resolveServers } from "../src/domain/definition/resolve.ts";

const counts = new Map<string, number>();
const failures: string[] = [];

function count(key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Every variable has a value, so that each template is expanded and each secret can be looked for. */
function resolveAll(container: Container): Resolution {
  return resolveServers([container], { environment: (name) => `value-of-${name}-canary` });
}

function tally(file: string, server: ResolvedServer): void {
  const shown = JSON.stringify(projectServer(server));
  if (server.status === "unresolved") {
    const { kind, reason } = server.problem;
    count(
      `entry  ${server.status}  ${kind}/${reason}${kind === "definition" ? ` ${server.problem.path}` : ""}`,
    );
    return;
  }
  count(`entry  ${server.status}  ${server.definition.transport}`);
  for (const note of server.definition.notes) count(`note  ${note.note}`);
  const printed = shown + JSON.stringify(coveredFields(server.definition)) + JSON.stringify(server);
  for (const secret of secretsOf(server.definition)) {
    // The value of a short literal can occur by chance.
    if (secret.length >= 8 && printed.includes(secret))
      failures.push(`${file}: a secret of ${server.name} is shown`);
  }
}

/** Where each file of the folder stood in its repository, which says whose format it is in (D1c). */
async function readIndex(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(folder, "index.tsv"), "utf8").catch(() => "");
  return new Map(text.split("\n").map((row) => [row.split("\t")[0] ?? "", row.split("\t")[2] ?? ""]));
}

async function tryFile(path: string, format: ConfigFormat): Promise<void> {
  const jsonc = process.argv.includes("--jsonc") ? ({ dialect: "jsonc" } as const) : {};
  const folders = { workspace: "/workspace", home: "/home/somebody" };
  const places = [{ source: "project", path, format, folders, ...jsonc, optional: false }] as const;
  const signal = AbortSignal.timeout(60_000);
  count(`file  of ${format}`);
  const containers = await createFileConfigSource().read(places, { signal });
  for (const container of containers) {
    const resolution = resolveAll(container);
    for (const problem of resolution.sourceProblems) {
      count(
        `source  ${problem.reason} ${problem.looksLike ?? ""}${problem.line === undefined ? "" : " (with its place)"}`,
      );
      if (!describeDefinitionRefusal(problem).includes(path))
        failures.push(`${path}: the problem has no origin`);
    }
    for (const { warning } of resolution.sourceWarnings) count(`warning  ${warning}`);
    for (const server of resolution.servers) tally(path, server);
  }
}

async function main(): Promise<void> {
  const argument = process.argv.slice(2).find((arg) => !arg.startsWith("--"));
  const folder = resolve(argument ?? join(import.meta.dirname, "../../shared/cases/configs"));
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) {
    print(`no such folder, nothing to try: ${folder}`);
    return;
  }
  const files = names.filter((name) => /\.jsonc?$/.test(name)).toSorted();
  const index = await readIndex(folder);
  for (const name of files) {
    try {
      await tryFile(join(folder, name), formatOfPath(index.get(name) ?? name));
    } catch (error) {
      failures.push(`${name}: threw ${error instanceof Error ? error.name : typeof error}`);
    }
  }
  print(`${files.length} files`);
  for (const [key, number] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    print(`${number}\t${key}`);
  for (const failure of failures) print(`FAILED ${failure}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

await main();
