import assert from "node:assert/strict";
import { test } from "node:test";

import { createSharedRun } from "../../src/composition/flows/shared-run.ts";

const NEVER = new AbortController().signal;

function controlled() {
  const started: { readonly signal: AbortSignal; readonly end: PromiseWithResolvers<number> }[] = [];
  const run = createSharedRun((signal) => {
    const end = Promise.withResolvers<number>();
    started.push({ signal, end });
    return end.promise;
  });
  return { run, started };
}

test("U4 callers that come while work is under way share one run, and the next starts another", async () => {
  const { run, started } = controlled();
  const waiting = [run(NEVER), run(NEVER), run(NEVER)];
  started[0]?.end.resolve(1);
  assert.deepEqual(await Promise.all(waiting), [1, 1, 1]);
  const later = run(NEVER);
  started[1]?.end.resolve(2);
  assert.equal(await later, 2);
  assert.equal(started.length, 2);
});

test("U4 a caller that aborts leaves with its own reason, and the others get the result", async () => {
  const { run, started } = controlled();
  const control = new AbortController();
  const leaving = run(control.signal);
  const staying = run(NEVER);
  control.abort("mine");
  await assert.rejects(leaving, (reason) => reason === "mine");
  assert.equal(started[0]?.signal.aborted, false);
  started[0]?.end.resolve(1);
  assert.equal(await staying, 1);
});

test("U4 when all have left the work is told, and who comes then starts anew", async () => {
  const { run, started } = controlled();
  const control = new AbortController();
  const leaving = [run(control.signal), run(control.signal)];
  control.abort("mine");
  await Promise.all(leaving.map((left) => assert.rejects(left)));
  assert.equal(started[0]?.signal.aborted, true);
  const fresh = run(NEVER);
  started[0]?.end.reject(new Error("cut"));
  started[1]?.end.resolve(2);
  assert.equal(await fresh, 2);
});

test("U4 work that fails fails all who wait, and is not remembered", async () => {
  const { run, started } = controlled();
  const waiting = [run(NEVER), run(NEVER)];
  started[0]?.end.reject(new Error("no"));
  for (const failed of waiting) await assert.rejects(failed, { message: "no" });
  const fresh = run(NEVER);
  started[1]?.end.resolve(1);
  assert.equal(await fresh, 1);
});

test("U4 an aborted caller starts nothing", async () => {
  const { run, started } = controlled();
  await assert.rejects(run(AbortSignal.abort("early")), (reason) => reason === "early");
  assert.equal(started.length, 0);
});
