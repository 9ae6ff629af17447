import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";

import type { Era } from "./bare-client.ts";
import { sendLoad } from "./load.ts";
import { compareAll, program, throughputRow, type BenchRow, type Work } from "./measure.ts";

/** Many and short: what else the machine does meets all of a round. */
const ROUNDS = 41;
const CALLS = 100;
const REFUSED = 300;
/** So many calls until the compiler has nothing more to do: each server is measured as it runs for good. */
const WARM_UP = 12_000;
/** Of what the SDK's handler does with no gate in front of it. */
const ADMITTED_LEAST = 0.9;
const REFUSED_LEAST = 2;

const CALL = {
  name: "echo",
  arguments: { text: "a text of an ordinary length, as a model would write it" },
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A host in a process of its own, so that the load is not counted as its work. */
interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  /** As clients address it. */
  readonly host: string;
}

type Kind = "bare" | "loopback" | "remote";

/** Calls that a gate admits, each by its token, against the SDK's handler with no gate; requests per second. */
export async function admitted(): Promise<readonly BenchRow[]> {
  return withServed(async ({ bare, loopback, remote }) => {
    const rows: BenchRow[] = [];
    for (const era of ["legacy", "modern"] satisfies readonly Era[]) {
      const workOf = (served: Served): Work =>
        loadOf(served, { request: callOf(served, { era }), count: CALLS });
      for (const served of [bare, loopback, remote]) await warmUp(served, era);
      const cases = [
        { name: "loopback", work: workOf(loopback) },
        { name: "remote", work: workOf(remote) },
      ];
      for (const [name, compared] of await compareAll(workOf(bare), cases, ROUNDS)) {
        rows.push(throughputRow(`calls/s, ${name} host ${era} / SDK's handler`, compared, ADMITTED_LEAST));
      }
    }
    return rows;
  });
}

/** Requests that a gate refuses, against the SDK's handler answering the same call; requests per second. */
export async function refused(): Promise<readonly BenchRow[]> {
  return withServed(async ({ bare, loopback, remote }) => {
    await warmUp(bare, "modern");
    const forged = `${remote.token.slice(0, -8)}AAAAAAAA`;
    const host = "evil.example.com";
    const given = [
      ["loopback, wrong Host", loopback, { host }, 403],
      ["loopback, no token", loopback, { token: "" }, 401],
      ["loopback, wrong token", loopback, { token: "x".repeat(43) }, 401],
      ["remote, wrong Host", remote, { host }, 403],
      ["remote, no token", remote, { token: "" }, 401],
      ["remote, opaque token", remote, { token: "opaque" }, 429],
      // Verified each time; told to wait since the first 20 (R6).
      ["remote, forged token", remote, { token: forged }, 429],
    ] as const;
    await sendLoad({ port: remote.port, request: callOf(remote, { token: "opaque" }), status: 401 }, 20);
    const cases = given.map(([name, served, change, status]) => ({
      name,
      work: loadOf(served, {
        request: callOf(served, { era: "modern", ...change }),
        status,
        count: REFUSED,
      }),
    }));
    const answering = loadOf(bare, { request: callOf(bare, { era: "modern" }), count: CALLS });
    return (await compareAll(answering, cases, ROUNDS)).map(([name, compared]) =>
      throughputRow(`refusals/s, ${name} / SDK's handler`, compared, REFUSED_LEAST),
    );
  });
}

function warmUp(served: Served, era: Era): Promise<void> {
  return sendLoad({ port: served.port, request: callOf(served, { era }), status: 200 }, WARM_UP);
}

async function withServed<Result>(
  work: (served: Readonly<Record<Kind, Served>>) => Promise<Result>,
): Promise<Result> {
  const started: Served[] = [];
  const start = async (kind: Kind): Promise<Served> => {
    const child = fork(program("served.mjs"), [kind], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const [{ port, token }] = await once(child, "message");
    const host = kind === "remote" ? "mcp.example.com" : `127.0.0.1:${port}`;
    const served = { child, port: Number(port), token: String(token), host };
    started.push(served);
    return served;
  };
  try {
    const bare = await start("bare");
    return await work({ bare, loopback: await start("loopback"), remote: await start("remote") });
  } finally {
    for (const { child } of started) child.kill();
  }
}

/** Wall time of one request, and the server's processor time for it. */
function loadOf(
  { child, port }: Served,
  {
    request,
    count,
    status = 200,
  }: { readonly request: string; readonly count: number; readonly status?: number },
): Work {
  return async () => {
    const before = await cpuMsOf(child);
    const startedMs = performance.now();
    await sendLoad({ port, request, status }, count);
    const wallMs = performance.now() - startedMs;
    return { wallMs: wallMs / count, cpuMs: ((await cpuMsOf(child)) - before) / count };
  };
}

async function cpuMsOf(child: ChildProcess): Promise<number> {
  const told = once(child, "message");
  child.send("cpu");
  const [{ cpuMs }] = await told;
  return Number(cpuMs);
}

function callOf(
  served: Served,
  {
    era = "legacy",
    host = served.host,
    token = served.token,
  }: { readonly era?: Era; readonly host?: string; readonly token?: string },
): string {
  const isModern = era === "modern";
  const params = isModern ? { ...CALL, _meta: META } : CALL;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return [
    "POST /mcp HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${isModern ? "2026-07-28" : "2025-11-25"}`,
    ...(isModern ? ["Mcp-Method: tools/call", "Mcp-Name: echo"] : []),
    ...(token === "" ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
