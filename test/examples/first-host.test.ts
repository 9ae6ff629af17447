import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
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
  assert.doesNotMatch(run.stdout + run.stderr, /a-secret-that-is-printed-nowhere/);
  assert.doesNotMatch(run.stderr, /this must never run/);
});

test("the first host writes nothing into its workspace", () => {
  const files = readdirSync(join(ROOT, "examples/first-host/workspace"));

  assert.deepEqual(files.toSorted(), [".mcp.json", "hello.txt"]);
});

test("the first host's web server ends with the program that started it, however that ends", async (t) => {
  const tellPort = join(ROOT, "examples/first-host/tell-port.mjs");
  const listen = "import('node:net').then(({ createServer }) => createServer().listen(0, '127.0.0.1'))";
  const child = spawn(process.execPath, ["--import", tellPort, "-e", listen], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  t.after(() => child.kill("SIGKILL"));
  const exited = once(child, "exit");
  await once(child, "message");

  child.disconnect();

  assert.deepEqual(await exited, [0, null]);
});
