import assert from "node:assert/strict";
import { test } from "node:test";

import type { Person } from "../../src/ports/person.ts";

const signal = new AbortController().signal;

/** What every person keeps to. `typing`: makes one who types these lines, and ends the input after the last. */
export function personContract(
  who: string,
  make: { readonly typing: (lines: readonly string[]) => Person; readonly nobody: () => Person },
): void {
  test(`M2 only a plain yes is a yes (${who})`, async () => {
    const lines = ["y", "YES ", "n", "", "yes please"];
    const said: string[] = [];
    for (const line of lines) said.push(await make.typing([line]).confirm("Sure?", { signal }));

    assert.deepEqual(said, ["yes", "yes", "no", "no", "no"]);
  });

  test(`C7 a line comes as it was typed, an empty one too (${who})`, async () => {
    for (const line of ["", "  two  words ", "é😀"]) {
      assert.deepEqual(await make.typing([line]).line("Name: ", { signal }), { typed: line });
    }
  });

  test(`C7 the end of the input is a no, and no line (${who})`, async () => {
    assert.equal(await make.typing([]).confirm("Sure?", { signal }), "no");
    assert.equal(await make.typing([]).line("Name: ", { signal }), "ended");
  });

  test(`M6 without a terminal there is nobody (${who})`, async () => {
    assert.equal(await make.nobody().confirm("Sure?", { signal }), "nobody");
    assert.equal(await make.nobody().line("Name: ", { signal }), "nobody");
  });

  test(`C7 an abort rejects with its reason (${who})`, async () => {
    const reason = new Error("gone");
    const aborted = { signal: AbortSignal.abort(reason) };

    await assert.rejects(make.typing(["y"]).confirm("Sure?", aborted), reason);
    await assert.rejects(make.typing(["y"]).line("Name: ", aborted), reason);
  });
}
