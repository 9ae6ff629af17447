import assert from "node:assert/strict";
import { test } from "node:test";

import { gateAuditLog, REFUSALS_A_MINUTE } from "../../../src/composition/cli/serve-audit.ts";
import { createServerNotes, createSourceNotes } from "../../../src/composition/cli/serve-notes.ts";
import { LOOK_AGAIN_MS, watchApprovals } from "../../../src/composition/cli/serve-watch.ts";
import { parseCommandLine } from "../../../src/composition/cli/arguments.ts";
import type { AuditEvent } from "../../../src/domain/activation/audit-event.ts";
import { decodeAuditLine, encodeAuditEvent } from "../../../src/domain/activation/audit-line.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { DOWN } from "../../kit/fake-gateway-host.ts";
import { settle } from "../../kit/fake-sessions.ts";

function notesWith(...args: readonly string[]) {
  const parsed = parseCommandLine(["serve", ...args]);
  assert.ok(parsed.ok && parsed.value.do === "run");
  const notes: string[] = [];
  const output = {
    answer: () => assert.fail("stdout belongs to the protocol"),
    note: (line: string) => void notes.push(line),
    flush: async () => true,
  };
  return { notes, told: createServerNotes({ line: parsed.value.line, output }) };
}

test("R11 a server that comes up is no news, one that goes down and comes back is", () => {
  const { notes, told } = notesWith();
  told({ serverId: "files", state: "up" });
  told({ serverId: "web", state: "down", failure: DOWN });
  told({ serverId: "web", state: "up" });
  told({ serverId: "web", state: "gone" });
  told({ serverId: "web", state: "up" });
  told({ serverId: "web", state: "lost" });

  assert.equal(notes.length, 5);
  assert.equal(notes[3], "sallyport: web is back");
  assert.match(notes[4] ?? "", /^sallyport: the connection to web was lost/);
  assert.match(notes[0] ?? "", /^sallyport: not served: web: /);
  assert.equal(notes[1], "sallyport: web is back");
  assert.equal(notes[2], "sallyport: web is not configured or not approved any more, and not served");
});

test("M6 a server that wants a sign-in is told with the command that helps", () => {
  const { notes, told } = notesWith();
  const refusal = { kind: "auth", reason: "sign-in-required", serverId: "web" } as const;
  told({ serverId: "web", state: "down", failure: { refusal } });

  assert.match(notes[0] ?? "", /here: sallyport login web$/);
});

test("C10 a server's words stand on a line of their own, escaped", () => {
  const { notes, told } = notesWith();
  told({
    serverId: "w\u202eeb",
    state: "down",
    failure: { ...DOWN, untrusted: { message: "no\u001b[31m" } },
  });

  assert.equal(notes.length, 2);
  assert.match(notes[1] ?? "", /^sallyport: the server says: no/);
  assert.ok(notes.every((note) => !note.includes("\u001b") && !note.includes("\u202e")));
});

test("D1 a file that cannot be read any more is told once, and again when it breaks again", () => {
  const notes: string[] = [];
  const tell = createSourceNotes({
    output: { answer: () => {}, note: (line) => void notes.push(line), flush: async () => true },
  });
  const broken = {
    kind: "source",
    source: "project",
    origin: "/work/.mcp.json",
    reason: "invalid-syntax",
    line: 3,
    column: 7,
  } as const;
  const missing = { ...broken, reason: "unreadable-file" } as const;
  tell([missing]);
  tell([missing, broken]);
  tell([missing, broken]);
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? "", /^sallyport: .*line 3/);

  tell([]);
  tell([broken]);
  assert.equal(notes.length, 2);
});

test("A6b a gateway looks at configuration and approvals every 2 s, and serves what came", async () => {
  const clock = new FakeClock();
  const ending = new AbortController();
  const did: string[] = [];
  const watching = watchApprovals(
    { reload: async () => void did.push("reload") },
    { refresh: () => void did.push("refresh") },
    { clock, signal: ending.signal },
  );

  await clock.advance(LOOK_AGAIN_MS - 1);
  assert.deepEqual(did, []);
  await clock.advance(1);
  await clock.advance(LOOK_AGAIN_MS);
  assert.deepEqual(did, ["reload", "refresh", "reload", "refresh"]);
  ending.abort();
  await watching;
  assert.equal(clock.pending, 0);
});

test("A6b approvals that cannot be read end the gateway: nobody could say what is approved", async () => {
  const clock = new FakeClock();
  const problem = new Error("corrupt");
  const watching = watchApprovals(
    { reload: () => Promise.reject(problem) },
    { refresh: () => assert.fail("served all the same") },
    { clock, signal: new AbortController().signal },
  );
  const ended = assert.rejects(watching, problem);
  await clock.advance(LOOK_AGAIN_MS);

  await ended;
});

function auditWorld(append: (event: AuditEvent) => Promise<void>) {
  const clock = new FakeClock();
  const notes: string[] = [];
  const sink = { append };
  const output = { note: (line: string) => void notes.push(line) };
  return { clock, notes, audit: gateAuditLog({ sink, clock, output }) };
}

test("R7 each refusal of a gate is one event of closed words that the log keeps", async () => {
  const events: AuditEvent[] = [];
  const { audit, clock } = auditWorld(async (event) => void events.push(event));
  audit({ reason: "wrong-token", address: "loopback" });
  audit({ reason: "token-insufficient-scope", address: "public" });

  assert.deepEqual(events, [
    { action: "request-refused", atMs: clock.nowMs(), reason: "wrong-token/loopback" },
    { action: "request-refused", atMs: clock.nowMs(), reason: "token-insufficient-scope/public" },
  ]);
  for (const event of events) assert.deepEqual(decodeAuditLine(encodeAuditEvent(event)), event);
});

test("R7 whoever is refused at will cannot fill the disk: 600 lines a minute, and the rest is counted", async () => {
  let written = 0;
  const { audit, clock, notes } = auditWorld(async () => void (written += 1));
  for (let count = 0; count < REFUSALS_A_MINUTE + 5; count += 1) audit({ reason: "host", address: "public" });
  assert.deepEqual([written, notes], [600, []]);

  await clock.advance(59_999);
  audit({ reason: "host", address: "public" });
  assert.equal(written, 600);
  await clock.advance(1);
  audit({ reason: "host", address: "public" });
  assert.equal(written, 601);
  assert.deepEqual(notes, ["sallyport: 6 more refusals are not in the audit log"]);
});

test("R7 an audit log that cannot be written is told once, and requests are refused all the same", async () => {
  const { audit, notes } = auditWorld(() => Promise.reject(new Error("disk full")));
  audit({ reason: "host", address: "public" });
  audit({ reason: "host", address: "public" });
  await settle();

  assert.deepEqual(notes, ["sallyport: the audit log cannot be written; requests are refused all the same"]);
});
