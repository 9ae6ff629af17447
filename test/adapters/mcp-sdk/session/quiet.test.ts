import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { fixture } from "../../../kit/sdk-servers.ts";
import { NODE } from "../../../kit/stdio-carriers.ts";

test("C10 a hostile server brings the host to print nothing, leave no timer and no unhandled rejection", async () => {
  // An unhandled rejection ends the child with a code of its own; a timer left would keep it from ending.
  const { stdout, stderr } = await promisify(execFile)(NODE, [fixture("quiet-host.ts")], { timeout: 30_000 });

  assert.equal(stdout, "");
  assert.equal(stderr, "");
});
