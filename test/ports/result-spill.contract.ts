import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { ResultSpill } from "../../src/ports/result-spill.ts";
import { NEVER, valueOf } from "../kit/activation.ts";

/** Registers what every spill has to do. `make` answers an empty one. */
export function resultSpillContract(name: string, make: (t: TestContext) => Promise<ResultSpill>): void {
  const call = { signal: NEVER };

  test(`K7 ${name}: a kept text is read back exactly`, async (t) => {
    const spill = await make(t);
    const text = `{"a":"\u{1F600}\u202E\uFEFF\r\n"}`;

    const reference = valueOf(await spill.store(text, call));

    assert.equal(valueOf(await spill.load(reference, call)), text);
  });

  test(`K7 ${name}: each text has a reference of its own`, async (t) => {
    const spill = await make(t);

    const references = [valueOf(await spill.store("same", call)), valueOf(await spill.store("same", call))];

    assert.equal(new Set(references).size, 2);
  });

  test(`K7 ${name}: a reference that nothing is kept under is refused`, async (t) => {
    const spill = await make(t);

    assert.deepEqual(await spill.load("f".repeat(32), call), {
      ok: false,
      refusal: { kind: "result", reason: "reference-unknown" },
    });
  });

  for (const reference of [
    "",
    "../approvals",
    "a".repeat(31),
    "a".repeat(33),
    "A".repeat(32),
    `${"a".repeat(32)}\n`,
  ]) {
    test(`K7 ${name}: ${JSON.stringify(reference)} is no reference`, async (t) => {
      const spill = await make(t);

      assert.deepEqual(await spill.load(reference, call), {
        ok: false,
        refusal: { kind: "result", reason: "reference-malformed" },
      });
    });
  }

  test(`K7 ${name}: an aborted call rejects with the reason and keeps nothing`, async (t) => {
    const spill = await make(t);
    const signal = AbortSignal.abort("gone");

    await assert.rejects(spill.store("text", { signal }), (reason) => reason === "gone");
    await assert.rejects(spill.load("a".repeat(32), { signal }), (reason) => reason === "gone");
  });
}
