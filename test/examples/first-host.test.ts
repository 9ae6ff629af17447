import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../architecture/source-files.ts";

test("the first host uses two real servers, refuses four entries by name, prints no secret and ends by itself", () => {
  const run = spawnSync(process.execPath, ["examples/first-host/main.ts"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 60_000,
  });

  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /Hello from a file that a real MCP server read\./);
  assert.match(run.stdout, /The sum of 19 and 23 is 42\./);
  assert.match(run.stdout, /expected type number/);
  for (const [server, reason] of [
    ["nobody-approved-me", "activation/pending"],
    ["inside", "egress/private-address"],
    ["forgotten", "host/unset-variable"],
    ["old", "http-admission/sse-transport"],
  ] as const) {
    assert.match(run.stdout, new RegExp(`admission-refused +${server} +${reason}`));
  }
  assert.doesNotMatch(run.stdout + run.stderr, /a-secret-that-is-printed-nowhere|this must never run/);
});

test("the example's folder is as it was committed: nothing was written into the workspace", () => {
  const changed = spawnSync("git", ["status", "--porcelain", "--", "examples/first-host/workspace"], {
    cwd: join(ROOT),
    encoding: "utf8",
  });

  assert.equal(changed.stdout, "");
});
