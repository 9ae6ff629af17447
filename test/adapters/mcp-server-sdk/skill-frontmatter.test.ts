import assert from "node:assert/strict";
import { test } from "node:test";

import { createSkillFrontmatter } from "../../../src/adapters/mcp-server-sdk/skill-frontmatter.ts";
import { skillFrontmatterContract } from "../../ports/skill-frontmatter.contract.ts";

skillFrontmatterContract("the official parser", createSkillFrontmatter);

function head(...lines: readonly string[]): string {
  return ["---", "name: refunds", "description: d", ...lines, "---", ""].join("\n");
}

test("S3 what YAML can say in several ways is read as one value", async () => {
  const more = head(
    "metadata:",
    '  "version": "2.1"',
    "list: [a, 1, true, null]",
    "text: |",
    "  two",
    "  lines",
  );

  assert.deepEqual(await createSkillFrontmatter().read(more, "refunds"), {
    name: "refunds",
    description: "d",
    metadata: { version: "2.1" },
    list: ["a", 1, true, null],
    text: "two\nlines\n",
  });
});

for (const [what, line] of [
  ["a duplicate key", "name: other"],
  ["an anchor", "a: &x 1"],
  ["an alias", "a: *x"],
  ["a tag", "a: !!js/function x"],
  ["a merge of nothing", "<<: *x"],
  ["a key __proto__", "__proto__: x"],
  ["a tab for indentation", "a:\n\tb: 1"],
  ["nesting without end", `a: ${"[".repeat(10_000)}`],
] as const) {
  test(`S3 a frontmatter with ${what} is refused, not read in one of its ways`, async () => {
    assert.equal(await createSkillFrontmatter().read(head(line), "refunds"), undefined);
  });
}

test("S3 a prototype is not changed by what is read", async () => {
  await createSkillFrontmatter().read(head("__proto__:", "  polluted: x"), "refunds");

  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});
