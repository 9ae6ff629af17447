import assert from "node:assert/strict";
import { test } from "node:test";

import type { SkillFrontmatter } from "../../src/ports/skill-frontmatter.ts";

const HEAD = "---\nname: refunds\ndescription: Handles refunds\n---\n";

/** What every reader of a SKILL.md's frontmatter does. */
export function skillFrontmatterContract(name: string, make: () => SkillFrontmatter): void {
  test(`S3 ${name}: a frontmatter is read whole`, async () => {
    assert.deepEqual(await make().read(HEAD, "refunds"), {
      name: "refunds",
      description: "Handles refunds",
    });
  });

  test(`S3 ${name}: a field more is in what is read`, async () => {
    assert.deepEqual(await make().read(HEAD.replace("---\n", "---\nlicense: MIT\n"), "refunds"), {
      license: "MIT",
      name: "refunds",
      description: "Handles refunds",
    });
  });

  for (const [what, head, skill] of [
    ["of another skill", HEAD, "payments"],
    ["without a name", "---\ndescription: d\n---\n", "refunds"],
    ["without a description", "---\nname: refunds\n---\n", "refunds"],
    ["without a beginning", HEAD.slice("---\n".length), "refunds"],
    ["without an end", HEAD.slice(0, -"---\n".length), "refunds"],
    ["that is no mapping", "---\n- refunds\n---\n", "refunds"],
    ["that is empty", "---\n---\n", "refunds"],
    ["that is not there", "", "refunds"],
  ] as const) {
    test(`S3 ${name}: a frontmatter ${what} cannot be read, and nothing is thrown`, async () => {
      assert.equal(await make().read(head, skill), undefined);
    });
  }
}
