import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileApprovalStore } from "../../../src/adapters/files/approval-store.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { ApprovalStore } from "../../../src/ports/approval-store.ts";
import { NEVER, makeRecord, makeSubject, valueOf } from "../../kit/activation.ts";
import { runFixture } from "../../kit/run-node.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

test("A5 four processes that record ten decisions each at once lose none of the forty", async (t) => {
  const home = join(await tempFolder(t), "home");

  const printed = await Promise.all(
    ["a", "b", "c", "d"].map((prefix) => runFixture("activation/record-many.ts", [home, prefix, "10"])),
  );

  const store = createFileApprovalStore({ folder: home, clock: createSystemClock() });
  const { records } = valueOf(await store.load({ signal: NEVER }));
  assert.deepEqual(
    printed.map((line) => JSON.parse(line)),
    Array.from({ length: 4 }, () => ({ recorded: 10, refused: [] })),
  );
  assert.equal(new Set(records.map((record) => record.subject.serverId)).size, 40);
  assert.deepEqual(await readdir(home), ["approvals.json"]);
});

test("A5 a full disk refuses the decision and leaves the old file as it was", async (t) => {
  const { home, path, before } = await makeLargeStore(t);

  const printed = await runFixture("activation/record-many.ts", [home, "new", "1", "survive"], {
    fileLimitBlocks: 1,
  });

  assert.deepEqual(JSON.parse(printed), { recorded: 0, refused: ["store-failed"] });
  assert.equal(await readFile(path, "utf8"), before);
  assert.deepEqual(await readdir(home), ["approvals.json"]);
});

test("A5 a process that is killed in the middle of a write leaves the old file, and the next one cleans up and goes on", async (t) => {
  const { home, path, before, store } = await makeLargeStore(t);

  const killed = runFixture("activation/record-many.ts", [home, "new", "1"], { fileLimitBlocks: 1 });
  await assert.rejects(killed, /SIGXFSZ/);

  assert.equal(await readFile(path, "utf8"), before);
  assert.equal((await readdir(home)).filter((name) => name.endsWith(".tmp")).length, 1);
  const { records } = valueOf(await store.record(makeRecord(), { signal: NEVER }));

  assert.equal(records.length, 5);
  assert.deepEqual(await readdir(home), ["approvals.json"]);
});

interface LargeStore {
  readonly home: string;
  readonly path: string;
  readonly store: ApprovalStore;
  readonly before: string;
}

/** Four records: more than the one block that the limit allows, whether a block has 512 bytes or 1,024. */
async function makeLargeStore(t: TestContext): Promise<LargeStore> {
  const home = join(await tempFolder(t), "home");
  const path = join(home, "approvals.json");
  const store = createFileApprovalStore({ folder: home, clock: createSystemClock() });
  for (let index = 0; index < 4; index += 1) {
    const subject = makeSubject({ name: `old-${index}` });
    valueOf(await store.record(makeRecord({ subject }), { signal: NEVER }));
  }
  const before = await readFile(path, "utf8");
  assert.ok(before.length > 1_024);
  return { home, path, store, before };
}
