import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileAuditLog } from "../../../src/adapters/files/audit-log.ts";
import { AUDIT_LINE_LIMIT_BYTES, type AuditEvent } from "../../../src/domain/activation/audit-event.ts";
import { encodeAuditEvent } from "../../../src/domain/activation/audit-line.ts";
import type { AuditLog, AuditSink } from "../../../src/ports/audit-sink.ts";
import { NEVER, collected } from "../../kit/activation.ts";
import { runFixture } from "../../kit/run-node.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { auditLogContract } from "../../ports/audit-log.contract.ts";

auditLogContract("file", async (t) => createFileAuditLog({ folder: join(await tempFolder(t), "home") }));

interface Place {
  readonly home: string;
  readonly path: string;
  readonly log: AuditSink & AuditLog;
}

async function makePlace(t: TestContext): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  return { home, path: join(home, "audit.jsonl"), log: createFileAuditLog({ folder: home }) };
}

function eventAt(atMs: number): AuditEvent {
  return { action: "trust", atMs };
}

async function readBack(
  log: AuditLog,
): Promise<{ readonly times: readonly number[]; readonly unreadable: number }> {
  let unreadable = 0;
  const events = await collected(
    log.events({
      signal: NEVER,
      onUnreadable: () => {
        unreadable += 1;
      },
    }),
  );
  return { times: events.map((event) => event.atMs), unreadable };
}

test("A6 reading creates nothing", async (t) => {
  const { home, log } = await makePlace(t);

  await readBack(log);

  await assert.rejects(stat(home), { code: "ENOENT" });
});

test("M1 the log is one owner-only file of one JSON line an event", async (t) => {
  const { home, path, log } = await makePlace(t);

  await log.append(eventAt(1));
  await log.append(eventAt(2));

  assert.deepEqual(await readdir(home), ["audit.jsonl"]);
  assert.equal((await stat(home)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await readFile(path, "utf8"), '{"action":"trust","atMs":1}\n{"action":"trust","atMs":2}\n');
});

test("A6 four processes that append at once tear no line and lose none", async (t) => {
  const { home, log } = await makePlace(t);

  await Promise.all(
    ["a", "b", "c", "d"].map((server) => runFixture("activation/append-many.ts", [home, server, "50"])),
  );

  const { times, unreadable } = await readBack(log);
  assert.deepEqual([times.length, unreadable], [200, 0]);
});

test("A6 a last line that was cut is skipped and counted", async (t) => {
  const { path, log } = await makePlace(t);
  await log.append(eventAt(1));
  await log.append(eventAt(2));
  await truncate(path, (await stat(path)).size - 5);

  assert.deepEqual(await readBack(log), { times: [1], unreadable: 1 });
});

test("A6 an event appended behind a cut line stands on a line of its own", async (t) => {
  const { path, log } = await makePlace(t);
  await log.append(eventAt(1));
  await truncate(path, (await stat(path)).size - 5);

  await log.append(eventAt(2));

  assert.deepEqual(await readBack(log), { times: [2], unreadable: 1 });
});

test("A6 foreign lines are skipped and counted, and reading goes on behind them", async (t) => {
  const { path, log } = await makePlace(t);
  await log.append(eventAt(1));
  await appendFile(path, 'not json\n\n{"action":"own-everything","atMs":2}\n\u0000\n');
  await log.append(eventAt(3));

  assert.deepEqual(await readBack(log), { times: [1, 3], unreadable: 3 });
});

test("A6 a line is read up to the limit, and one beyond it is skipped", async (t) => {
  const { home, path, log } = await makePlace(t);
  await mkdir(home, { mode: 0o700 });
  const text = [AUDIT_LINE_LIMIT_BYTES - 1, AUDIT_LINE_LIMIT_BYTES, AUDIT_LINE_LIMIT_BYTES + 1].map(
    (length, index) => paddedLine(length, index),
  );
  await writeFile(path, text.join(""), { mode: 0o600 });

  assert.deepEqual(await readBack(log), { times: [0, 1], unreadable: 1 });
});

test("A6 a line of a megabyte is skipped once, and the events around it are read", async (t) => {
  const { path, log } = await makePlace(t);
  await log.append(eventAt(1));
  await appendFile(path, `${"x".repeat(1_048_576)}\n`);
  for (let atMs = 2; atMs < 10; atMs += 1) await log.append(eventAt(atMs));
  await appendFile(path, "y".repeat(1_048_576));

  assert.deepEqual(await readBack(log), { times: [1, 2, 3, 4, 5, 6, 7, 8, 9], unreadable: 2 });
});

test("A6 events that lie across the borders of what is read at once are whole", async (t) => {
  const { path, log } = await makePlace(t);
  await log.append(eventAt(0));
  const times = Array.from({ length: 5_000 }, (_, index) => index);
  await writeFile(path, times.map((atMs) => `${encodeAuditEvent(eventAt(atMs))}\n`).join(""));

  assert.deepEqual(await readBack(log), { times, unreadable: 0 });
});

/** An event's line of `bytes` bytes, its end included. */
function paddedLine(bytes: number, atMs: number): string {
  return `${encodeAuditEvent(eventAt(atMs)).padEnd(bytes - 1, " ")}\n`;
}

const FAULT = { name: "HostFault", code: "audit-failed" };

for (const [what, spoil] of [
  ["may be read by others", (path: string) => chmod(path, 0o644)],
  ["may be written by others", (path: string) => chmod(path, 0o602)],
] as const) {
  test(`M1 a log that ${what} is neither read nor written`, async (t) => {
    const { path, log } = await makePlace(t);
    await log.append(eventAt(1));
    const before = await readFile(path, "utf8");
    await spoil(path);

    await assert.rejects(log.append(eventAt(2)), FAULT);
    await assert.rejects(readBack(log), FAULT);

    assert.equal(await readFile(path, "utf8"), before);
  });
}

test("M1 a symbolic link in the place of the log is not followed", async (t) => {
  const { home, path, log } = await makePlace(t);
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, "target"), "", { mode: 0o600 });
  await symlink(join(home, "target"), path);

  await assert.rejects(log.append(eventAt(1)), FAULT);

  assert.equal(await readFile(join(home, "target"), "utf8"), "");
});

test("M1 a named pipe in the place of the log does not hang", async (t) => {
  const { home, path, log } = await makePlace(t);
  await mkdir(home, { mode: 0o700 });
  execFileSync("mkfifo", ["-m", "600", path]);

  await assert.rejects(readBack(log), FAULT);
  await assert.rejects(log.append(eventAt(1)), FAULT);
});

test("A6 a machine that cannot write is a host fault that shows its code alone", async (t) => {
  const { home, log } = await makePlace(t);
  await writeFile(home, "", { mode: 0o600 });

  await assert.rejects(log.append(eventAt(1)), (error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.message, "host fault: audit-failed");
    assert.equal(JSON.stringify(error).includes(home), false);
    return true;
  });
});

test("A6 an event that could not be written does not stop the next one", async (t) => {
  const { home, log } = await makePlace(t);
  await writeFile(home, "", { mode: 0o600 });
  await assert.rejects(log.append(eventAt(1)), FAULT);
  await rm(home);

  await log.append(eventAt(2));

  assert.deepEqual(await readBack(log), { times: [2], unreadable: 0 });
});
