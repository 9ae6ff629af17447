import assert from "node:assert/strict";
import { access, chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createFileResultSpill, type ResultSpillLimits } from "../../../src/adapters/files/result-spill.ts";
import type { ResultSpill } from "../../../src/ports/result-spill.ts";
import { NEVER, valueOf } from "../../kit/activation.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { resultSpillContract } from "../../ports/result-spill.contract.ts";

const call = { signal: NEVER };

interface Place {
  readonly home: string;
  readonly results: string;
  readonly clock: FakeClock;
  readonly spill: ResultSpill;
}

async function place(t: TestContext, limits: Partial<ResultSpillLimits> = {}): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const clock = new FakeClock(Date.now());
  return {
    home,
    results: join(home, "results"),
    clock,
    spill: createFileResultSpill({ folder: home, clock, limits }),
  };
}

/** Stores texts one minute apart, oldest first, by the time that their files say. */
async function storeInOrder({ spill, results, clock }: Place, texts: readonly string[]): Promise<string[]> {
  const references: string[] = [];
  for (const [index, text] of texts.entries()) {
    const reference = valueOf(await spill.store(text, call));
    const at = (clock.nowMs() - (texts.length - index) * 60_000) / 1000;
    await utimes(join(results, `${reference}.json`), at, at);
    references.push(reference);
  }
  return references;
}

async function presence({ spill }: Place, references: readonly string[]): Promise<readonly boolean[]> {
  return Promise.all(references.map(async (reference) => (await spill.load(reference, call)).ok));
}

resultSpillContract("files", async (t) => (await place(t)).spill);

test("K7 M1 the folder and the file of a result are for their owner alone", async (t) => {
  const { spill, results } = await place(t);

  const reference = valueOf(await spill.store("secret", call));

  assert.equal((await stat(results)).mode & 0o777, 0o700);
  assert.equal((await stat(join(results, `${reference}.json`))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(results), [`${reference}.json`]);
});

test("K7 reading creates nothing", async (t) => {
  const { spill, home } = await place(t);

  await spill.load("a".repeat(32), call);

  await assert.rejects(access(home), { code: "ENOENT" });
});

test("K7 a reference is 128 random bits and leads to no other file", async (t) => {
  const { spill, home } = await place(t);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "approvals.json"), "not yours", { mode: 0o600 });

  const reference = valueOf(await spill.store("x", call));

  assert.match(reference, /^[0-9a-f]{32}$/);
  assert.deepEqual(await spill.load("../approvals", call), {
    ok: false,
    refusal: { kind: "result", reason: "reference-malformed" },
  });
});

test("K7 a link in the place of a result is not followed", async (t) => {
  const { spill, home, results } = await place(t);
  valueOf(await spill.store("x", call));
  await writeFile(join(home, "approvals.json"), "not yours", { mode: 0o600 });
  await symlink(join(home, "approvals.json"), join(results, `${"a".repeat(32)}.json`));

  assert.deepEqual(await spill.load("a".repeat(32), call), {
    ok: false,
    refusal: { kind: "store", reason: "store-insecure" },
  });
});

test("K7 a result that others could have written is not read, a folder that others can enter not used", async (t) => {
  const { spill, results } = await place(t);
  const reference = valueOf(await spill.store("x", call));
  const refusal = { kind: "store", reason: "store-insecure" };

  await chmod(join(results, `${reference}.json`), 0o666);
  assert.deepEqual(await spill.load(reference, call), { ok: false, refusal });

  await chmod(results, 0o755);
  assert.deepEqual(await spill.store("y", call), { ok: false, refusal });
  assert.equal((await readdir(results)).length, 1);
});

test("K7 what is no UTF-8 is corrupt, not a text", async (t) => {
  const { spill, results } = await place(t);
  const reference = valueOf(await spill.store("x", call));
  await writeFile(join(results, `${reference}.json`), Uint8Array.of(0xff));

  assert.deepEqual(await spill.load(reference, call), {
    ok: false,
    refusal: { kind: "store", reason: "store-corrupt" },
  });
});

for (const [bytes, kept] of [
  [9, true],
  [10, true],
  [11, false],
] as const) {
  test(`K7 of at most 10 bytes a result of ${bytes} is ${kept ? "kept" : "refused, and nothing is written"}`, async (t) => {
    const { spill, results } = await place(t, { resultBytes: 10 });

    const stored = await spill.store("é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2), call);

    assert.equal(stored.ok, kept);
    if (stored.ok) assert.equal((await readdir(results)).length, 1);
    else {
      assert.deepEqual(stored.refusal, { kind: "store", reason: "store-full" });
      await assert.rejects(access(results), { code: "ENOENT" });
    }
  });
}

test("K7 of at most three results the oldest goes for the fourth", async (t) => {
  const at = await place(t, { results: 3 });
  const references = await storeInOrder(at, ["1", "2", "3"]);
  assert.deepEqual(await presence(at, references), [true, true, true]);

  const fourth = valueOf(await at.spill.store("4", call));

  assert.deepEqual(await presence(at, [...references, fourth]), [false, true, true, true]);
});

test("K7 of at most 30 bytes the oldest go until there is room", async (t) => {
  const at = await place(t, { bytes: 30 });
  const references = await storeInOrder(at, ["a".repeat(10), "b".repeat(10), "c".repeat(10)]);
  assert.deepEqual(await presence(at, references), [true, true, true]);

  const last = valueOf(await at.spill.store("d".repeat(15), call));

  assert.deepEqual(await presence(at, [...references, last]), [false, false, true, true]);
});

test("K7 a result is there for seven days, and goes with the next one after that", async (t) => {
  const at = await place(t);
  const [old = ""] = await storeInOrder(at, ["old"]);
  await at.clock.advance(7 * 24 * 60 * 60 * 1000 - 60_001);
  const second = valueOf(await at.spill.store("second", call));
  const later = at.clock.nowMs() / 1000;
  await utimes(join(at.results, `${second}.json`), later, later);
  assert.deepEqual(await presence(at, [old]), [true]);

  await at.clock.advance(60_002);
  valueOf(await at.spill.store("third", call));

  assert.deepEqual(await presence(at, [old, second]), [false, true]);
});

test("K7 what a killed writer left goes as a result would, and what is not ours stays", async (t) => {
  const at = await place(t, { results: 1 });
  await storeInOrder(at, ["x"]);
  await writeFile(join(at.results, `${"b".repeat(32)}.json.tmp`), "half", { mode: 0o600 });
  await writeFile(join(at.results, "notes.txt"), "mine", { mode: 0o600 });

  const reference = valueOf(await at.spill.store("y", call));

  assert.deepEqual((await readdir(at.results)).toSorted(), [`${reference}.json`, "notes.txt"].toSorted());
  assert.equal(await readFile(join(at.results, "notes.txt"), "utf8"), "mine");
});
