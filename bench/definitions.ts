import { performance } from "node:perf_hooks";

import type { Container } from "../src/domain/definition/container.ts";
import { resolveServers } from "../src/domain/definition/resolve.ts";

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** A container like real ones: three quarters started programs, a quarter URLs, most with a variable. */
function makeContainer(servers: number): Container {
  const entries = Array.from({ length: servers }, (_, index): [string, unknown] => {
    if (index % 4 === 3) {
      const url = `https://mcp-${index}.example/v1/mcp?project=${index}`;
      return [`remote-${index}`, { type: "http", url, headers: { Authorization: "Bearer ${API_TOKEN}" } }];
    }
    const args = ["-y", `@example/server-${index}@1.2.3`, "--root", "${ROOT:-/srv}/data"];
    return [
      `local-${index}`,
      { command: "npx", args, env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "info" } },
    ];
  });
  return {
    source: "project",
    origin: "/work/project/.mcp.json",
    value: { mcpServers: Object.fromEntries(entries) },
  };
}

function valueOf(name: string): string {
  return `value-of-${name}`;
}

interface Took {
  readonly wallMs: number;
  /** Processor time of all threads: firmer than wall time on a busy machine. */
  readonly cpuMs: number;
}

/** What resolving, decoding and fingerprinting took: the median of seven runs, each figure by itself. */
function measure(servers: number): Took {
  const containers = [makeContainer(servers)];
  const runs = Array.from({ length: 7 }, (): Took => {
    const startedMs = performance.now();
    const before = process.cpuUsage();
    const { servers: resolved } = resolveServers(containers, { environment: valueOf });
    const { user, system } = process.cpuUsage(before);
    const wallMs = performance.now() - startedMs;
    if (resolved.some(({ status }) => status !== "resolved")) throw new TypeError("an entry did not resolve");
    return { wallMs, cpuMs: (user + system) / 1_000 };
  });
  return { wallMs: median(runs.map((run) => run.wallMs)), cpuMs: median(runs.map((run) => run.cpuMs)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Resolves 2,500 and 10,000 definitions: the bound is 250 ms, and four times the work takes four times as long. */
export async function run(): Promise<readonly BenchRow[]> {
  const small = measure(2_500);
  const large = measure(10_000);
  return [
    { name: "resolve + fingerprint 10,000 definitions", value: large.wallMs, unit: "ms" },
    { name: "resolve + fingerprint 10,000 definitions, processor time", value: large.cpuMs, unit: "ms" },
    {
      name: "the same per definition, 10,000 against 2,500",
      value: large.cpuMs / 4 / small.cpuMs,
      unit: "ratio",
    },
  ];
}
