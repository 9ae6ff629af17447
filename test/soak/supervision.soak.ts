import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import type { McpHost } from "../../src/composition/host/mcp-host.ts";
import { approveAll, hostFolders, hostIn } from "../kit/hosts.ts";
import { checkSupervisor } from "../kit/supervisor-model.ts";
import { UnsteadyHttpServer } from "./unsteady-http-server.ts";

const ROUNDS = 500;
const MODEL_RUNS = 20_000;
/** Rounds after which caches, pools and compiled code are warm. */
const WARM_ROUNDS = 100;
const SAMPLE_ROUNDS = 50;
/** What the heap may grow by after that. 400 rounds that leaked one session each would show far above it. */
const GROWTH_LIMIT_BYTES = 4 * 1024 * 1024;
/** No answer may take longer: everything has a deadline below it. Milliseconds. */
const ANSWER_LIMIT_MS = 60_000;

const UNSTEADY = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../fixtures/supervision/unsteady-server.mjs", import.meta.url))],
};

test("V1–V7 20,000 random orders of events break no rule of supervision", async () => {
  await checkSupervisor(MODEL_RUNS);
});

test("V6 real servers that die, hang, flood, change and come back 500 times leave no memory, handle, listener or waiter", async (t) => {
  const warnings: string[] = [];
  const warn = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warn);
  t.after(() => process.off("warning", warn));
  const before = resources();
  const web = new UnsteadyHttpServer();
  await web.up();
  t.after(() => web.end());
  const folders = await hostFolders(t, { files: UNSTEADY, web: { url: web.url } });
  // Each change is read at once here: waiting for the interval between refreshes would only make it long.
  const lists = { minIntervalMs: 0, perMinute: 1_000_000 };
  const host = await hostIn(t, folders, { timeouts: { startupMs: 20_000 }, lists });
  await approveAll(host, "files", "web");
  const calls = new Calls(host);
  const heaps: number[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all([childRound(calls, round), httpRound(calls, { round, web })]);
    if (round % SAMPLE_ROUNDS === 0) heaps.push(heapBytes());
  }

  const answered = calls.answered();
  const listeners = calls.listeners();
  await host.close();
  await web.end();
  t.diagnostic(
    `heap after ${SAMPLE_ROUNDS} rounds each, MiB: ${heaps.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(" ")}`,
  );
  t.diagnostic(`calls: ${JSON.stringify(answered)}`);
  assert.equal(answered.waiting, 0);
  assert.ok(answered.ok > ROUNDS * 4, "too few calls worked for this to say anything");
  assert.equal(listeners, 0);
  assert.deepEqual(warnings, []);
  const warm = heaps.slice(WARM_ROUNDS / SAMPLE_ROUNDS - 1);
  const [first = 0] = warm;
  assert.ok(Math.min(...warm.slice(-3)) - first < GROWTH_LIMIT_BYTES, "the heap went on growing");
  assert.deepEqual(await settledResources(before), before);
});

/** Calls the host all the time, with one signal for all, and keeps count of what came back. */
class Calls {
  readonly #host: McpHost;
  readonly #control = new AbortController();
  #ok = 0;
  #failed = 0;
  #waiting = 0;

  constructor(host: McpHost) {
    this.#host = host;
  }

  /** Settles whatever comes, within the limit. */
  async call(tool: string, timeoutMs = 10_000): Promise<boolean> {
    this.#waiting += 1;
    const called = this.#host.call(tool, {}, { signal: this.#control.signal, timeoutMs });
    const answer = await within(called, tool);
    this.#waiting -= 1;
    if (answer.ok) this.#ok += 1;
    else this.#failed += 1;
    return answer.ok;
  }

  /** Until the server is back: as somebody would who really wants it. */
  async untilOk(tool: string): Promise<void> {
    const endMs = performance.now() + ANSWER_LIMIT_MS;
    while (!(await this.call(tool))) {
      assert.ok(performance.now() < endMs, `${tool} did not come back`);
    }
  }

  answered(): { readonly ok: number; readonly failed: number; readonly waiting: number } {
    return { ok: this.#ok, failed: this.#failed, waiting: this.#waiting };
  }

  listeners(): number {
    return getEventListeners(this.#control.signal, "abort").length;
  }
}

async function childRound(calls: Calls, round: number): Promise<void> {
  await calls.untilOk("files__echo");
  await Promise.all([calls.call("files__flood"), calls.call("files__change"), calls.call("files__echo")]);
  // Its end, with calls in flight beside: by itself, or because a call was given up (X6).
  const end = round % 2 === 0 ? calls.call("files__die") : calls.call("files__hang", 50);
  await Promise.all([end, calls.call("files__echo"), calls.call("files__echo")]);
}

async function httpRound(
  calls: Calls,
  { round, web }: { readonly round: number; readonly web: UnsteadyHttpServer },
): Promise<void> {
  await calls.untilOk("web__echo");
  await Promise.all([calls.call("web__flood"), calls.call("web__change"), calls.call("web__hang", 50)]);
  const beside = [calls.call("web__echo"), calls.call("web__hang", 50)];
  await web.down();
  if (round % 2 === 0) beside.push(calls.call("web__echo"));
  await Promise.all(beside);
  await web.up();
}

async function within<Value>(work: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was never answered`)), ANSWER_LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function heapBytes(): number {
  const { gc } = globalThis;
  assert.ok(gc !== undefined, "run it with --expose-gc, as `npm run test:soak` does");
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

/** What keeps a process alive, by kind, without what the test runner itself has. */
function resources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (!/TCP|Process|Pipe|Timeout/.test(kind)) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** What was just closed may need some turns to be gone. */
async function settledResources(
  expected: Readonly<Record<string, number>>,
): Promise<Readonly<Record<string, number>>> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    const now = resources();
    if (JSON.stringify(now) === JSON.stringify(expected)) return now;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return resources();
}
