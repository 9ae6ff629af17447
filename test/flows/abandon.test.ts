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
