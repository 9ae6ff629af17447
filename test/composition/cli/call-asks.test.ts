import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { accept } from "../../../src/composition/cli/accept.ts";
import { approve } from "../../../src/composition/cli/approve.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { createAskingServer } from "../../kit/asking-server.ts";
import {
  approveByCommand,
  commandPlace,
  runInside,
  type InsideOptions,
  type RanInside,
} from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";
import { fixture, startSdkServer } from "../../kit/sdk-servers.ts";

async function callAsk(t: TestContext, options: InsideOptions): Promise<RanInside> {
  const url = await startSdkServer(t, createAskingServer);
  const folders = await hostFolders(t, { web: { url, protocolVersion: "2026-07-28" } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  return runInside(call, folders, ["call", "web__ask"], options);
}

test("C7 call puts the server's form to the person, and prints what the tool then answers", async (t) => {
  const ran = await callAsk(t, { lines: ["y", "Ada", "y"] });

  assert.equal(ran.code, 0);
  assert.match(ran.stdout, /Ada/);
  assert.ok(ran.notes.includes("  | Who are you?"));
});

test("C7 a person's no goes back to the server, and the call ends as its tool says", async (t) => {
  const ran = await callAsk(t, { lines: ["n"] });

  assert.equal(ran.code, 0);
  assert.match(ran.stdout, /declin/);
});

test("M6 without a terminal a real call gets its answer, with the form closed and nobody waited for", async (t) => {
  const place = await commandPlace(t, {
    files: { command: process.execPath, args: [fixture("asking-server.ts")] },
  });
  await approveByCommand(place, "files");

  const ran = await place.run(["call", "files__ask"], { input: "y\nAda\ny\n" });

  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stdout, /cancel/);
  assert.doesNotMatch(ran.stdout, /Ada/);
  assert.match(ran.stderr, /no terminal to ask at/);
});

test("A7 a tool that is there for whoever can be asked is one tool to tools, accept and call", async (t) => {
  const folders = await hostFolders(t, {
    files: { command: process.execPath, args: [fixture("asks-if-able-server.ts")] },
  });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "files", "--yes"]);

  const listed = await runInside(tools, folders, ["tools"]);
  const accepted = await runInside(accept, folders, ["accept", "files", "--yes"]);
  const called = await runInside(call, folders, ["call", "files__ask", "--pins", "hold"]);

  assert.match(listed.stdout, /files__ask/);
  assert.equal(accepted.stdout, "nothing to accept\n");
  assert.deepEqual([called.code, called.stdout, called.notes], [0, "asked\n", []]);
});
