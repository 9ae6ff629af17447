import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { valueOf } from "../../kit/activation.ts";
import { hostFolders, hostIn, stdioEntry, writeProject } from "../../kit/hosts.ts";

async function trustedHost(t: TestContext, entry: (mark: string) => object) {
  const folders = await hostFolders(t, {});
  const mark = join(folders.workspace, "ran");
  await writeProject(folders.workspace, { server: entry(mark) });
  const host = await hostIn(t, folders);
  valueOf(await host.setTrusted(true));
  return { host, folders, ran: () => existsSync(mark) };
}

test("M4 a variable that changes which code runs is not approved without its own yes, and with it is", async (t) => {
  const { host, folders } = await trustedHost(t, () =>
    stdioEntry("everything", { env: { NODE_OPTIONS: "--no-warnings" } }),
  );

  const refused = await host.approve("server");
  const written = existsSync(join(folders.home, "approvals.json"));
  const approved = valueOf(await host.approve("server", { allowEnv: ["NODE_OPTIONS"] }));

  assert.deepEqual(refused, {
    ok: false,
    refusal: { kind: "host", reason: "needs-allow-env", serverId: "server", keys: ["NODE_OPTIONS"] },
  });
  assert.equal(written, false);
  assert.deepEqual(approved.launch?.codeChangingEnvKeys, ["NODE_OPTIONS"]);
});

test("M4 a shell is not approved without its own yes, and with it is", async (t) => {
  const { host, folders, ran } = await trustedHost(t, (mark) => ({
    command: "/bin/sh",
    args: ["-c", `touch '${mark}'`],
  }));

  const refused = await host.approve("server");
  const written = existsSync(join(folders.home, "approvals.json"));
  const approved = valueOf(await host.approve("server", { allowShell: true }));

  assert.deepEqual(refused, {
    ok: false,
    refusal: { kind: "host", reason: "needs-allow-shell", serverId: "server" },
  });
  assert.equal(written, false);
  assert.equal(approved.launch?.allowShell, true);
  assert.equal(ran(), false);
});

test("D5 a disabled server can be approved and is still not started", async (t) => {
  const { host, ran } = await trustedHost(t, (mark) => ({
    command: process.execPath,
    args: ["-e", `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`],
    disabled: true,
  }));
  const approved = await host.approve("server");

  const connected = await host.connect("server");

  assert.equal(approved.ok, true);
  assert.deepEqual(connected, {
    ok: false,
    refusal: { refusal: { kind: "host", reason: "disabled", serverId: "server" } },
  });
  assert.equal(ran(), false);
});
