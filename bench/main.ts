/**
 * `npm run bench [-- --only GROUP] [--json]`: figures as ratios to the bare SDK client, measured in the same run. It
 * reports and never fails: bounds are for people (docs/reference/benchmarks.md).
 */
import { parseArgs } from "node:util";

import { calls, callsAmongMany, largeResults } from "./calls.ts";
import { run as definitions } from "./definitions.ts";
import { fleet } from "./fleet.ts";
import { gateway } from "./gateway.ts";
import { heap, lists } from "./lists.ts";
import { figure, type BenchRow } from "./measure.ts";
import { run as narrowing } from "./narrowing.ts";
import { admitted, refused } from "./serving.ts";
import { command, commandOnServers, imports } from "./startup.ts";

/** Bounds of rows whose files report figures alone. */
const BOUNDS: ReadonlyMap<string, number> = new Map([
  ["resolve + fingerprint 10,000 definitions", 250],
  ["narrow 1,000 input schemas", 100],
]);

const GROUPS: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  import: imports,
  command,
  definitions,
  narrowing,
  calls,
  large: largeResults,
  many: callsAmongMany,
  lists,
  heap,
  fleet,
  servers: commandOnServers,
  admitted,
  refused,
  gateway,
};

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, json: { type: "boolean" } },
});
const chosen = Object.entries(GROUPS).filter(([name]) => values.only?.includes(name) ?? true);
if (chosen.length === 0) {
  process.stderr.write(`bench: --only takes ${Object.keys(GROUPS).join(", ")}\n`);
  process.exit(2);
}
const rows: BenchRow[] = [];
if (values.json !== true) process.stdout.write(line(["", "value", "CPU", "bound", "", "ours", "bare"]));
for (const [name, measure] of chosen) {
  process.stderr.write(`bench: ${name}\n`);
  for (const row of await measure()) {
    const bound = row.bound ?? BOUNDS.get(row.name);
    rows.push(bound === undefined ? row : { ...row, bound });
    if (values.json !== true) process.stdout.write(shownRow(row, bound));
  }
}
if (values.json === true)
  process.stdout.write(`${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);

function shownRow(row: BenchRow, most: number | undefined): string {
  const bound = row.least ?? most;
  const isKept = row.least === undefined ? row.value <= (most ?? Infinity) : row.value >= row.least;
  return line([
    row.name,
    row.unit === "x" ? row.value.toFixed(2) : `${figure(row.value)} ${row.unit}`,
    row.cpuRatio?.toFixed(2) ?? "",
    bound === undefined ? "" : `${row.least === undefined ? "<=" : ">="} ${bound}`,
    bound === undefined ? "" : isKept ? "ok" : row.least === undefined ? "OVER" : "UNDER",
    row.ours ?? "",
    row.bare ?? "",
  ]);
}

function line(cells: readonly string[]): string {
  const widths = [58, 9, 6, 8, 5, 22, 0];
  return `${cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(" ")
    .trimEnd()}\n`;
}
