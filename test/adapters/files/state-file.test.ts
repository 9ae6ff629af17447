import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { type StateFile, createStateFile } from "../../../src/adapters/files/state-file.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { StoreReason } from "../../../src/domain/activation/store-refusal.ts";
import { type Outcome, accept, refuse } from "../../../src/domain/outcome.ts";
import { NEVER } from "../../kit/activation.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

/** A state that is a list of words. */
function decodeWords(value: unknown): Outcome<readonly string[], StoreReason> {
  const good = Array.isArray(value) && value.every((word): word is string => typeof word === "string");
  return good ? accept(value) : refuse("store-corrupt");
}

interface Place {
  readonly folder: string;
  readonly path: string;
  readonly file: StateFile<readonly string[]>;
}

async function makePlace(t: TestContext, lockWaitMs?: number): Promise<Place> {
  const folder = join(await tempFolder(t), "home");
  const file = createStateFile<readonly string[]>({
    folder,
    name: "words.json",
    clock: createSystemClock(),
    decode: decodeWords,
    encode: (words) => words,
    empty: [],
    lockWaitMs,
  });
  return { folder, path: join(folder, "words.json"), file };
}

test("A5 a change that changes nothing writes nothing", async (t) => {
  const { folder, file } = await makePlace(t);

  const outcome = await file.update((words) => words, { signal: NEVER });

  assert.deepEqual(outcome, accept([]));
  assert.deepEqual(await readdir(folder), []);
});

test("A5 what could not be read back is not written", async (t) => {
  const { path, file } = await makePlace(t);
  await file.update(() => ["good"], { signal: NEVER });

  // A caller in plain JavaScript.
  const outcome = await file.update(() => [7] as unknown as string[], { signal: NEVER });

  assert.deepEqual(outcome, refuse("store-full"));
  assert.deepEqual(JSON.parse(await readFile(path, "utf8")), ["good"]);
});

test("A5 another process that holds the lock for too long is a lock-timeout, and nothing is written", async (t) => {
  const { folder, path, file } = await makePlace(t, 0);
  await mkdir(`${path}.lock`, { recursive: true, mode: 0o700 });

  assert.deepEqual(await file.update(() => ["new"], { signal: NEVER }), refuse("lock-timeout"));

  assert.deepEqual(await readdir(folder), ["words.json.lock"]);
});

test("A5 an abort while another process holds the lock rejects with its reason, and nothing is written", async (t) => {
  const { folder, path, file } = await makePlace(t);
  await mkdir(`${path}.lock`, { recursive: true, mode: 0o700 });
  const reason = new Error("enough");
  const controller = new AbortController();

  const waiting = file.update(() => ["new"], { signal: controller.signal });
  controller.abort(reason);

  await assert.rejects(waiting, reason);
  assert.deepEqual(await readdir(folder), ["words.json.lock"]);
});

test("A5 a writer whose file was replaced meanwhile starts again, so that neither change is lost", async (t) => {
  const { path, file } = await makePlace(t);
  await file.update(() => ["first"], { signal: NEVER });
  let attempts = 0;

  const outcome = await file.update(
    (words) => {
      attempts += 1;
      // What a second process does that took the same stale lock over at the same moment.
      if (attempts === 1) replaceSync(path, ["first", "other"]);
      return [...words, "mine"];
    },
    { signal: NEVER },
  );

  assert.deepEqual(outcome, accept(["first", "other", "mine"]));
  assert.equal(attempts, 2);
});

test("A5 a writer that loses its lock right before the rename replaces nothing, and starts again", async (t) => {
  const { folder, path, file } = await makePlace(t);
  let attempts = 0;

  const outcome = await file.update(
    (words) => {
      attempts += 1;
      // The lock is now another folder, as when a second process took it over and released it.
      if (attempts === 1) renameSync(`${path}.lock`, `${path}.gone`);
      return [...words, "mine"];
    },
    { signal: NEVER },
  );

  assert.deepEqual(outcome, accept(["mine"]));
  assert.equal(attempts, 2);
  assert.deepEqual((await readdir(folder)).toSorted(), ["words.json", "words.json.gone"]);
});

test("A5 a writer that loses its lock every time gives up, and what is there stays", async (t) => {
  const { path, file } = await makePlace(t);
  await file.update(() => ["first"], { signal: NEVER });
  let attempts = 0;

  const outcome = await file.update(
    (words) => {
      attempts += 1;
      renameSync(`${path}.lock`, `${path}.gone-${attempts}`);
      return [...words, "mine"];
    },
    { signal: NEVER },
  );

  assert.deepEqual(outcome, refuse("lock-timeout"));
  assert.equal(attempts, 3);
  assert.deepEqual(JSON.parse(await readFile(path, "utf8")), ["first"]);
});

test("M1 folders on the way to the home are created for their owner alone", async (t) => {
  const base = await tempFolder(t);
  const folder = join(base, "config", "sallyport");
  const file = createStateFile<readonly string[]>({
    folder,
    name: "words.json",
    clock: createSystemClock(),
    decode: decodeWords,
    encode: (words) => words,
    empty: [],
  });

  await file.update(() => ["word"], { signal: NEVER });

  for (const made of [folder, join(base, "config")]) assert.equal((await stat(made)).mode & 0o777, 0o700);
});

function replaceSync(path: string, words: readonly string[]): void {
  mkdirSync(`${path}.dir`, { recursive: true });
  const other = join(`${path}.dir`, "other");
  writeFileSync(other, JSON.stringify(words), { mode: 0o600 });
  renameSync(other, path);
}
