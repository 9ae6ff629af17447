import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";

import type { Client } from "@modelcontextprotocol/client";

import { bareClient, type Era } from "./bare-client.ts";
import {
  built,
  compareAll,
  median,
  ratioRow,
  timed,
  type BenchRow,
  type Took,
  type Work,
} from "./measure.ts";
import { approvedWorkspace, startHttpServer, stdioServer, type Workspace } from "./workspace.ts";

const SERVERS = 20;
/** Many and short: what else the machine does meets both of a round. */
const ROUNDS = 31;
const IN_A_ROW = 30;
/** Below the 16 requests that an HTTP host answers at once (R8). */
const AT_ONCE = 12;
const BATCHES = 3;
const BOUND = 1.8;
const ARGUMENTS = { text: "a text of an ordinary length, as a model would write it" };

/**
 * A call to one of 20 stdio servers behind `sallyport serve`, against a client that talks to such a server itself, over
 * the same kind of carrier as to the gateway.
 */
export async function gateway(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const era of ["legacy", "modern"] satisfies readonly Era[]) {
    const server = { ...stdioServer(), ...(era === "modern" && { protocolVersion: "2026-07-28" }) };
    const names = Array.from({ length: SERVERS }, (_, index) => `server-${index}`);
    const world = await approvedWorkspace(Object.fromEntries(names.map((name) => [name, server])));
    try {
      rows.push(...(await overStdio(world, era)), ...(await overHttp(world, era)));
    } finally {
      await world.remove();
    }
  }
  return rows;
}

async function overStdio(world: Workspace, era: Era): Promise<readonly BenchRow[]> {
  const args = [built("cli.mjs"), ...flagsOf(world), "serve"];
  const served = await bareClient({ command: process.execPath, args }, era);
  const direct = await bareClient(stdioServer(), era);
  try {
    return await rowsOf(`sallyport serve ${era} / direct stdio`, { served, direct });
  } finally {
    await served.close();
    await direct.close();
  }
}

async function overHttp(world: Workspace, era: Era): Promise<readonly BenchRow[]> {
  const gate = await loopbackGateway(world, era);
  const web = await startHttpServer();
  const direct = await bareClient({ url: web.url }, era);
  try {
    return await rowsOf(`sallyport serve --http ${era} / direct HTTP`, { served: gate.client, direct });
  } finally {
    await direct.close();
    await gate.close();
    web.stop();
  }
}

async function rowsOf(
  where: string,
  { served, direct }: { readonly served: Client; readonly direct: Client },
): Promise<readonly BenchRow[]> {
  await untilListed(served);
  const ours = callsOf(served, "server-7__echo");
  const bare = callsOf(direct, "echo");
  const rows: BenchRow[] = [];
  for (const [what, calls, bound] of [
    ["call p50", "oneByOne", BOUND],
    [`call, ${AT_ONCE} at once`, "manyAtOnce", undefined],
  ] as const) {
    for (const [name, compared] of await compareAll(
      bare[calls],
      [{ name: where, work: ours[calls] }],
      ROUNDS,
    )) {
      rows.push(ratioRow(`${what}, ${name}`, compared, bound));
    }
  }
  return rows;
}

interface Calls {
  readonly oneByOne: Work;
  readonly manyAtOnce: Work;
}

/** The median wall time of a call, and the same for one of many at once. Processor time is this client's alone. */
function callsOf(client: Client, name: string): Calls {
  const call = async (): Promise<void> => {
    const result = await client.callTool({ name, arguments: ARGUMENTS });
    if (result.isError === true) throw new Error(`${name} failed`);
  };
  return {
    oneByOne: async () => {
      const walls: number[] = [];
      const { cpuMs } = await timed(async () => {
        for (let index = 0; index < IN_A_ROW; index += 1) walls.push((await timed(call)).wallMs);
      });
      return { wallMs: median(walls), cpuMs: cpuMs / IN_A_ROW };
    },
    manyAtOnce: async (): Promise<Took> => {
      const took = await timed(async () => {
        for (let batch = 0; batch < BATCHES; batch += 1)
          await Promise.all(Array.from({ length: AT_ONCE }, call));
      });
      const count = BATCHES * AT_ONCE;
      return { wallMs: took.wallMs / count, cpuMs: took.cpuMs / count };
    },
  };
}

/** Servers come in as they start. */
async function untilListed(client: Client): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
    if (tools.length === SERVERS * 2) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("tools are missing");
}

/** A `sallyport serve --http` in a process of its own, and the official client on it. */
async function loopbackGateway(
  world: Workspace,
  era: Era,
): Promise<{ readonly client: Client; close(): Promise<void> }> {
  const tokenFile = join(world.home, "bearer");
  const args = [built("cli.mjs"), ...flagsOf(world), "serve", "--http", "--token-file", tokenFile];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  const said: unknown[] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    closed.then(() => []),
  ]);
  if (typeof said[0] !== "string") throw new Error("the gateway did not start");
  const client = await bareClient({ url: said[0], token: (await readFile(tokenFile, "utf8")).trim() }, era);
  return {
    client,
    close: async () => {
      await client.close();
      child.kill();
      await closed;
    },
  };
}

function flagsOf({ workspace, home }: Workspace): string[] {
  return ["--workspace", workspace, "--home", home];
}
