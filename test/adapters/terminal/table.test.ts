import assert from "node:assert/strict";
import { test } from "node:test";

import { formatTable } from "../../../src/adapters/terminal/table.ts";

test("M5 a table lines its columns up by the width of the characters, without colours", async () => {
  const table = await formatTable(
    [{ title: "NAME" }, { title: "STATUS" }],
    [
      ["a", "resolved"],
      ["日本", "disabled"],
    ],
  );

  assert.deepEqual(table.split("\n"), ["NAME  STATUS", "a     resolved", "日本  disabled"]);
});

for (const [text, shown] of [
  ["1234", "1234"],
  ["12345", "12345"],
  ["123456", "1234…"],
  ["😀😀😀😀😀", "😀😀😀😀😀"],
  ["😀😀😀😀😀😀", "😀😀😀😀…"],
] as const) {
  test(`M5 the cell ${text} in a column of five characters shows ${shown}`, async () => {
    const table = await formatTable([{ title: "C", limit: 5 }], [[text]]);

    assert.equal(table.split("\n")[1], shown);
  });
}
