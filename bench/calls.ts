import type { Client } from "@modelcontextprotocol/client";

import type { McpHost } from "../src/composition/node.ts";
import { bareClient, type Era } from "./bare-client.ts";
import { compare, median, ratioRow, timed, type BenchRow, type Took } from "./measure.ts";
import { approvedWorkspace, startHttpServer, stdioServer } from "./workspace.ts";

const ROUNDS = 7;
const IN_A_ROW = 200;
const AT_ONCE = 50;
const BATCHES = 6;
const LARGE_CALLS = 10;
const BOUND = 1.1;

type Call = () => Promise<void>;

interface Pair {
  readonly where: string;
  readonly ours: (tool: string) => Call;
  readonly bare: (tool: string) => Call;
}

/** A tool call through the whole host, every protection on, against the official client on an equal server. */
export async function calls(): Promise<readonly BenchRow[]> {
  return onEveryCarrier(async ({ where, ours, bare }) => [
    ratioRow(
      `call p50, ${where}, one at a time`,
      await compare(oneByOne(ours("echo"), IN_A_ROW), oneByOne(bare("echo"), IN_A_ROW), ROUNDS),
      BOUND,
    ),
    ratioRow(
      `call, ${where}, 50 at once`,
      await compare(manyAtOnce(ours("echo")), manyAtOnce(bare("echo")), ROUNDS),
      BOUND,
    ),
  ]);
}

/** The same with a result of 1 MiB. */
export async function largeResults(): Promise<readonly BenchRow[]> {
  return onEveryCarrier(async ({ where, ours, bare }) => [
    ratioRow(
      `call p50 with 1 MiB, ${where}`,
      await compare(oneByOne(ours("large"), LARGE_CALLS), oneByOne(bare("large"), LARGE_CALLS), ROUNDS),
      BOUND,
    ),
  ]);
}

/** A call to a server that has 500 other tools: it may not cost more for them. */
export async function callsAmongMany(): Promise<readonly BenchRow[]> {
  const server = stdioServer("--tools", "500");
  const world = await approvedWorkspace({ many: server });
  const host = await world.open();
  const client = await bareClient(server, "legacy");
  try {
    await host.catalog();
    const pair = pairOf("many", { host, client, where: "" });
    const compared = await compare(
      oneByOne(pair.ours("echo"), IN_A_ROW),
      oneByOne(pair.bare("echo"), IN_A_ROW),
      ROUNDS,
    );
    return [ratioRow("call p50, stdio legacy, among 500 tools", compared, BOUND)];
  } finally {
    await client.close();
    await host.close();
    await world.remove();
  }
}

async function onEveryCarrier(
  measure: (pair: Pair) => Promise<readonly BenchRow[]>,
): Promise<readonly BenchRow[]> {
  const web = await startHttpServer();
  const servers = { stdio: stdioServer(), http: { url: web.url } };
  const world = await approvedWorkspace({
    "stdio-legacy": servers.stdio,
    "stdio-modern": { ...servers.stdio, protocolVersion: "2026-07-28" },
    "http-legacy": servers.http,
    "http-modern": { ...servers.http, protocolVersion: "2026-07-28" },
  });
  const host = await world.open();
  const rows: BenchRow[] = [];
  try {
    await host.catalog();
    for (const carrier of ["stdio", "http"] as const) {
      for (const era of ["legacy", "modern"] satisfies readonly Era[]) {
        const client = await bareClient(servers[carrier], era);
        rows.push(
          ...(await measure(pairOf(`${carrier}-${era}`, { host, client, where: `${carrier} ${era}` }))),
        );
        await client.close();
      }
    }
  } finally {
    await host.close();
    await world.remove();
    web.stop();
  }
  return rows;
}

function pairOf(
  name: string,
  { host, client, where }: { readonly host: McpHost; readonly client: Client; readonly where: string },
): Pair {
  return {
    where,
    ours: (tool) => async () => {
      const answer = await host.call(`${name}__${tool}`, argumentsOf(tool));
      if (!answer.ok || answer.value.result.isError) throw new Error(`${name}__${tool} failed`);
    },
    bare: (tool) => async () => {
      const result = await client.callTool({ name: tool, arguments: argumentsOf(tool) });
      if (result.isError === true) throw new Error(`${tool} failed`);
    },
  };
}

function argumentsOf(tool: string): Record<string, string> {
  return tool === "echo" ? { text: "a text of an ordinary length, as a model would write it" } : {};
}

/** The median wall time of one call, and the processor time of an average one. */
function oneByOne(call: Call, count: number): () => Promise<Took> {
  return async () => {
    const walls: number[] = [];
    const { cpuMs } = await timed(async () => {
      for (let index = 0; index < count; index += 1) walls.push((await timed(call)).wallMs);
    });
    return { wallMs: median(walls), cpuMs: cpuMs / count };
  };
}

function manyAtOnce(call: Call): () => Promise<Took> {
  return async () => {
    const { wallMs, cpuMs } = await timed(async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => call()));
      }
    });
    const count = BATCHES * AT_ONCE;
    return { wallMs: wallMs / count, cpuMs: cpuMs / count };
  };
}
