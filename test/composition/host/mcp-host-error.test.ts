import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";

import { createMcpHost } from "../../../src/composition/host/create-mcp-host.ts";
import { McpHostError } from "../../../src/composition/host/mcp-host-error.ts";
import { describeRefusal } from "../../../src/domain/refusal-text.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

test("M1 a host that cannot come to be says in a sentence why, and holds the refusal", async (t) => {
  const folder = await tempFolder(t);
  const workspace = join(folder, "canary-that-is-not-there");

  const made = createMcpHost({ workspace, home: join(folder, "home") });

  await assert.rejects(made, (error) => {
    assert.ok(error instanceof McpHostError);
    assert.deepEqual(error.refusal, { kind: "store", reason: "workspace-missing" });
    assert.equal(error.message, describeRefusal(error.refusal));
    assert.ok(!inspect(error).includes("canary"));
    return true;
  });
});
