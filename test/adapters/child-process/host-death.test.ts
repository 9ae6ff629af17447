import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test, { type TestContext } from "node:test";

import { assertGroupGone, assertProcessGone, childFixture, isAlive } from "../../kit/child-groups.ts";

/** A host in a process of its own, which starts a server behind `sh -c` and tells the two process ids. */
async function startHost(
  t: TestContext,
  serverFlags: readonly string[] = [],
): Promise<{ kill: (how: string) => void; shell: number; server: number }> {
  const args = [childFixture("host.ts"), ...serverFlags];
  const host = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  t.after(() => host.kill("SIGKILL"));
  const [chunk] = await once(host.stdout, "data");
  const { shell, server } = JSON.parse(String(chunk));
  return {
    shell,
    server,
    kill: (how) => void (how === "SIGKILL" ? host.kill(how) : host.stdin.write(`${how}\n`)),
  };
}

for (const how of ["process.exit", "an uncaught exception"]) {
  test(`E5 the whole tree of a server ends when its host ends by ${how}`, async (t) => {
    const host = await startHost(t, ["--ignore-eof", "--ignore-term"]);
    assert.equal(isAlive(host.server), true);

    host.kill(how);

    await assertGroupGone(host.shell);
  });
}

test("E5 a server hears of the host's own death by the end of its stdin", async (t) => {
  const host = await startHost(t);

  host.kill("SIGKILL");

  await assertProcessGone(host.server);
  await assertGroupGone(host.shell);
});
