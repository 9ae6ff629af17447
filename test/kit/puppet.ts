import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import { createProcessRunner } from "../../src/adapters/child-process/process-runner.ts";
import type { CloseLadder } from "../../src/adapters/child-process/grouped-child.ts";
import { createSystemClock } from "../../src/adapters/system/clock.ts";
import type { ApprovedLaunch } from "../../src/domain/launch/approved-launch.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { RunningProcess } from "../../src/ports/process-runner.ts";
import { assertGroupGone } from "./child-groups.ts";

export interface Puppet {
  readonly child: RunningProcess;
  /** Asks puppet.mjs for one of its behaviours and answers with the result. */
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Sends without waiting for an answer. */
  readonly tell: (method: string, params?: Record<string, unknown>) => Promise<void>;
}

/** A real child running puppet.mjs behind the real runner. After the test nobody of its group may be left. */
export async function startPuppet(
  t: TestContext,
  launch: ApprovedLaunch,
  options: { readonly clock?: Clock; readonly ladder?: Partial<CloseLadder> } = {},
): Promise<Puppet> {
  const { clock = createSystemClock(), ladder = {} } = options;
  const outcome = await createProcessRunner({ clock, ladder }).run(launch, {
    signal: new AbortController().signal,
  });
  assert.ok(outcome.ok);
  const child = outcome.value;
  t.after(async () => {
    await child.stop();
    await assertGroupGone(child.pid);
  });
  const waiting = new Map<unknown, (result: Record<string, unknown>) => void>();
  let rest = "";
  child.onStdout((chunk) => {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      waiting.get(id)?.(result);
    }
  });
  let lastId = 0;
  const write = (id: number, method: string, params: Record<string, unknown>): Promise<void> =>
    child.write(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
  return {
    child,
    ask: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, resolve);
        write(id, method, params).catch(reject);
      }),
    tell: (method, params = {}) => write(++lastId, method, params),
  };
}
