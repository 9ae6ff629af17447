/**
 * Builds the catalog of every real tool list in a folder and says what became of each tool.
 *
 *   node scripts/try-tool-lists.ts [FOLDER]      default: ../shared/cases/tool-lists
 *
 * Then shows each to every model API that there is a profile for, and says what that costs. Fails when a tool ends in no
 * bucket, a name breaks the law of K3, what is shown breaks a rule of its API, or fewer than 95 % are usable. The lists are other
 * people's and not part of the repository; without the folder there is nothing to do.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { buildCatalog, buildServerCatalog } from "../src/domain/catalog/build.ts";
import type { CatalogTool, ServerCatalog } from "../src/domain/catalog/catalog.ts";
import { profileSchema } from "../src/domain/catalog/profile-schema.ts";
import { SCHEMA_PROFILES } from "../src/domain/catalog/profile-rules.ts";
import { isJsonObject } from "../src/domain/json-value.ts";
import { brokenRules } from "../test/kit/profile-checkers.ts";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../../shared/cases/tool-lists"));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readList(file: string): readonly unknown[] {
  const document: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const tools = isJsonObject(document) ? document["tools"] : undefined;
  return Array.isArray(tools) ? tools : [];
}

function tally(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${reason} ${count}`).join(", ");
}

function summarise(file: string, count: number, server: ServerCatalog): void {
  const adopted = server.tools.filter((tool) => tool.bucket === "adopted").length;
  const adapted = server.tools.length - adopted;
  const line = `${String(count).padStart(4)} tools  ${String(adopted).padStart(4)} adopted  ${String(adapted).padStart(4)} adapted  ${String(server.rejected.length).padStart(3)} rejected  ${file}`;
  say(line);
  const reasons = server.tools.flatMap((tool) => [...new Set(tool.reasons.map(({ reason }) => reason))]);
  if (reasons.length > 0) say(`      adapted for: ${tally(reasons)}`);
  if (server.rejected.length > 0)
    say(`      rejected for: ${tally(server.rejected.map(({ reason }) => reason))}`);
}

/** What each model API is not shown, tool by tool; answers the rules that are broken all the same. */
function tryProfiles(tools: readonly CatalogTool[]): readonly string[] {
  const faults: string[] = [];
  for (const profile of SCHEMA_PROFILES) {
    const shown = tools.map((tool) => ({ name: tool.name, ...profileSchema(tool.inputSchema, profile) }));
    const whole = shown.filter(({ reasons }) => reasons.length === 0).length;
    say(`${profile}: ${whole} of ${tools.length} tools shown whole`);
    const reasons = shown.flatMap((tool) => [...new Set(tool.reasons.map(({ reason }) => reason))]);
    if (reasons.length > 0) say(`      otherwise for: ${tally(reasons)}`);
    for (const { name, schema } of shown)
      faults.push(...brokenRules(profile, schema).map((rule) => `${name} for ${profile}: ${rule}`));
  }
  return faults;
}

function main(): void {
  if (!existsSync(folder)) {
    say(`no tool lists at ${folder}: nothing to try`);
    return;
  }
  const faults: string[] = [];
  const servers: ServerCatalog[] = [];
  let disclosed = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const tools = readList(file);
    const server = buildServerCatalog({ serverId: file.replace(/\.json$/, ""), tools, era: "modern" });
    if (server.tools.length + server.rejected.length !== tools.length)
      faults.push(`${file}: a tool is in no bucket`);
    summarise(file, tools.length, server);
    servers.push(server);
    disclosed += tools.length;
  }
  const catalog = buildCatalog(servers);
  for (const name of catalog.tools.keys()) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) faults.push(`${name}: breaks the law of names`);
  }
  const usable = catalog.tools.size;
  if (usable < 0.95 * disclosed) faults.push(`only ${usable} of ${disclosed} tools are usable`);
  const adopted = [...catalog.tools.values()].filter((tool) => tool.bucket === "adopted").length;
  say(
    `all: ${disclosed} tools, ${adopted} adopted, ${usable - adopted} adapted, ${catalog.rejected.length} rejected`,
  );
  faults.push(...tryProfiles([...catalog.tools.values()]));
  for (const fault of faults) say(`FAULT ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

main();
