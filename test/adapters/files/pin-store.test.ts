import assert from "node:assert/strict";
import { access, copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createFilePinStore } from "../../../src/adapters/files/pin-store.ts";
import type { PinStore } from "../../../src/ports/pin-store.ts";
import { NEVER, valueOf } from "../../kit/activation.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { pinSet, pinStoreContract } from "../../ports/pin-store.contract.ts";

const call = { signal: NEVER };

async function place(t: TestContext): Promise<{ readonly pins: string; readonly store: PinStore }> {
  const home = join(await tempFolder(t), "home");
  return {
    pins: join(home, "pins"),
    store: createFilePinStore({ folder: home, clock: createSystemClock() }),
  };
}

/** The one file of a store in which one set was written. */
async function writtenFile({ pins, store }: Awaited<ReturnType<typeof place>>): Promise<string> {
  const set = pinSet("a");
  valueOf(await store.update(set.key, () => set, call));
  const name = (await readdir(pins)).find((entry) => entry.endsWith(".json")) ?? "";
  return join(pins, name);
}

pinStoreContract("files", async (t) => (await place(t)).store);

test("A7 M1 the folder and the files of pins are for their owner alone, and the name tells no server", async (t) => {
  const at = await place(t);

  const path = await writtenFile(at);

  assert.equal((await stat(at.pins)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.match(path, /\/[0-9a-f]{32}\.json$/);
});

test("A7 loading pins creates nothing", async (t) => {
  const { pins, store } = await place(t);

  await store.load({ serverId: "files" }, call);

  await assert.rejects(access(pins), { code: "ENOENT" });
});

test("A7 pins of another server in the place of these are corrupt", async (t) => {
  const at = await place(t);
  const path = await writtenFile(at);
  const other = pinSet("b", "web");
  valueOf(await at.store.update(other.key, () => other, call));
  const entries = await readdir(at.pins);
  const second = entries.find((entry) => entry.endsWith(".json") && !path.endsWith(entry)) ?? "";
  await copyFile(join(at.pins, second), path);

  assert.deepEqual(await at.store.load({ serverId: "files" }, call), {
    ok: false,
    refusal: { kind: "store", reason: "store-corrupt" },
  });
});

for (const [what, change, reason] of [
  ["that are cut", (text: string) => text.slice(0, 40), "store-corrupt"],
  ["with an unknown key", (text: string) => text.replace("{", '{"more":1,'), "store-corrupt"],
  [
    "with a digest that is none",
    (text: string) => text.replace(/"digest": "./, '"digest": "!'),
    "store-corrupt",
  ],
  [
    "with one tool twice",
    (text: string) => text.replace(/("tools": \[)([^\]]*)\]/, "$1$2,$2]"),
    "store-corrupt",
  ],
  ["of a later version", (text: string) => text.replace('"version": 1', '"version": 2'), "store-too-new"],
] as const) {
  test(`A7 pins ${what} are refused, and are not overwritten`, async (t) => {
    const at = await place(t);
    const path = await writtenFile(at);
    const broken = change(await readFile(path, "utf8"));
    await writeFile(path, broken);
    const refusal = { kind: "store", reason };
    const set = pinSet("a");

    assert.deepEqual(await at.store.load(set.key, call), { ok: false, refusal });
    assert.deepEqual(await at.store.update(set.key, () => set, call), { ok: false, refusal });
    assert.equal(await readFile(path, "utf8"), broken);
  });
}
