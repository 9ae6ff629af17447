import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";

import { orAbandon } from "../../src/composition/flows/abandon.ts";

test("V3 a caller that aborts leaves shared work with its own reason, and the work goes on for the others", async () => {
  const controller = new AbortController();
  const gate = new AbortController();
  const work = new Promise<string>((resolve) => {
    gate.signal.addEventListener("abort", () => resolve("done"));
  });
  const leaving = orAbandon(work, controller.signal);
  const staying = orAbandon(work, undefined);

  controller.abort("enough");
  gate.abort();

  await assert.rejects(leaving, (reason) => reason === "enough");
  assert.equal(await staying, "done");
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
});

test("V3 a finished wait leaves no listener, and an aborted signal never begins one", async () => {
  const controller = new AbortController();

  assert.equal(await orAbandon(Promise.resolve(1), controller.signal), 1);
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
  controller.abort("before");
  await assert.rejects(orAbandon(Promise.resolve(1), controller.signal), (reason) => reason === "before");
});

test("X6 work that fails after its caller had aborted is no unhandled rejection", async (t) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));

  const late = orAbandon(Promise.reject(new Error("late")), AbortSignal.abort("before"));

  await assert.rejects(late, (reason) => reason === "before");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});
