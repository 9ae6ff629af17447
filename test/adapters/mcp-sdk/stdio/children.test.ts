import assert from "node:assert/strict";
import { chmod, mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

import { createFileProbe } from "../../../../src/adapters/files/file-probe.ts";
import { createStdioAdapter } from "../../../../src/adapters/mcp-sdk/stdio-adapter.ts";
import type { StdioCarrier } from "../../../../src/adapters/mcp-sdk/stdio-carrier.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { stdioRefusal } from "../../../../src/domain/launch/refusal.ts";
import { assertGroupGone } from "../../../kit/child-groups.ts";
import { fakeProcessRunner } from "../../../kit/fake-process-runner.ts";
import { type ChildOptions, childCarrier } from "../../../kit/stdio-carriers.ts";
import {
  approvedStatus,
  fakeAuthority,
  plain,
  stdioDefinition,
  subjectFor,
} from "../../../kit/stdio-definition.ts";
import { type Talk, failureOf, talkOver } from "../../../kit/stdio-talk.ts";
import { tempFolder } from "../../../kit/temp-folder.ts";

const FRAME_BYTES = 8 * 1_024 * 1_024;

async function puppet(
  t: TestContext,
  options: ChildOptions = {},
): Promise<{ carrier: StdioCarrier; talk: Talk }> {
  const carrier = await childCarrier(t, "puppet.mjs", options);
  const talk = talkOver(carrier);
  await carrier.start();
  return { carrier, talk };
}

function base64(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function first(text: string): ChildOptions {
  return { args: [`--first=${base64(text)}`] };
}

for (const junk of [" \n", "Starting server on stdio\n", "\ufeff\r\n", "{not json\n"]) {
  test(`E7 ${JSON.stringify(junk)} before the first answer is skipped and counted`, async (t) => {
    const { carrier, talk } = await puppet(t, first(junk));

    assert.deepEqual(await talk.result("echo", { a: 1 }), { a: 1 });

    assert.equal(carrier.report().junkLines, 1);
  });
}

test("E8 a junk line between two answers is skipped, and later calls are answered", async (t) => {
  const { carrier, talk } = await puppet(t);

  await talk.result("echo", { turn: 1 });
  await talk.result("pieces", { pieces: [base64("build.x done\n")] });
  assert.deepEqual(await talk.result("echo", { turn: 2 }), { turn: 2 });

  assert.equal(carrier.report().junkLines, 1);
});

test("E8 a server that only prints junk fails what is pending at once, not by a timeout", async (t) => {
  const { talk } = await puppet(t);
  const pending = failureOf(talk.ask("silent"));

  await failureOf(talk.ask("flood", { text: "log line\n", times: 101 }));

  assert.deepEqual(await pending, { refusal: stdioRefusal("receive-invalid", "junk-lines") });
});

test("X5 a character that two chunks share is read whole", async (t) => {
  const { talk } = await puppet(t);
  const line = Buffer.from('{"jsonrpc":"2.0","method":"n","params":{"text":"10 €"}}\n');
  const half = line.indexOf("€") + 1;

  await talk.result("pieces", { pieces: [base64(line.subarray(0, half)), base64(line.subarray(half))] });

  assert.deepEqual(talk.messages[0], { jsonrpc: "2.0", method: "n", params: { text: "10 €" } });
});

/** One notification of exactly `bytes` bytes, newline not counted. */
function frameOf(bytes: number): { text: string; times: number } {
  const [head, tail] = ['{"jsonrpc":"2.0","method":"n","params":{"t":"', '"}}\n'];
  return { text: `${head}${"x".repeat(bytes - head.length - tail.length + 1)}${tail}`, times: 1 };
}

test("E16 a frame of exactly the cap is read, two of them in a row too", async (t) => {
  const { talk } = await puppet(t);

  await talk.result("flood", { ...frameOf(FRAME_BYTES), times: 2 });

  assert.equal(talk.messages.length, 3);
});

test("X5 a line of 9 MiB fails the connection as receive-limit", async (t) => {
  const { carrier, talk } = await puppet(t);
  const pending = failureOf(talk.ask("silent"));

  const failure = await failureOf(talk.ask("flood", { text: "x".repeat(1_024), times: 9 * 1_024 }));

  assert.deepEqual(failure, { refusal: stdioRefusal("receive-limit", "frame") });
  assert.deepEqual(await pending, failure);
  await carrier.close();
});

test("X5 of a hundred thousand notifications a bounded number is delivered and the connection ends", async (t) => {
  const { carrier, talk } = await puppet(t);
  const text = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n';

  const failure = await failureOf(talk.ask("flood", { text, times: 100_000 }));

  assert.deepEqual(failure, { refusal: stdioRefusal("receive-limit", "flood") });
  assert.ok(talk.messages.length < 3_000, `${talk.messages.length} were delivered`);
  await carrier.close();
});

test("E13 a server that writes 1 MiB to stderr before it answers is answered by nobody's reading", async (t) => {
  const { carrier, talk } = await puppet(t);

  await talk.result("stderr", { text: "x".repeat(1_023) + "\n", times: 1_024 });

  assert.deepEqual(await talk.result("echo"), {});
  assert.deepEqual(carrier.report().stderr, { bytes: 1_048_576, truncated: true });
});

test("E14 terminal sequences on stderr reach the sink as plain text", async (t) => {
  const lines: string[] = [];
  const { talk } = await puppet(t, { adapter: { stderr: (line) => void lines.push(line) } });

  await talk.result("stderr", { text: "\u001b[2J\u001b[31mfake host line\u001b[0m\u0007\n" });
  while (lines.length === 0) await talk.result("echo");

  assert.deepEqual(lines, ["fake host line"]);
});

test("X4 the child sees the definition's variables and nothing of the host's environment", async (t) => {
  process.env["SALLYPORT_TEST_CANARY"] = "canary";
  t.after(() => delete process.env["SALLYPORT_TEST_CANARY"]);
  const { talk } = await puppet(t, { env: new Map([["API_URL", plain("https://a.example")]]) });

  const { env } = await talk.result("facts");

  assert.deepEqual(env, { API_URL: "https://a.example" });
});

test("E17 the configured working directory is where the child starts", async (t) => {
  const root = await tempFolder(t);
  await mkdir(join(root, "sub"));
  const { talk } = await puppet(t, { cwd: "sub", grant: { root } });

  const { cwd } = await talk.result("facts");

  assert.equal(cwd, join(root, "sub"));
});

test("X2 a working directory that leaves the root through a symbolic link is refused", async (t) => {
  const root = await tempFolder(t);
  await symlink(await tempFolder(t), join(root, "link"));

  await assert.rejects(puppet(t, { cwd: "link", grant: { root } }), /symlink-escape/);
});

test("X7 a server that exits at once fails the call as early-exit", async (t) => {
  const { talk } = await puppet(t);

  assert.deepEqual(await failureOf(talk.ask("exit", { code: 3 })), {
    refusal: stdioRefusal("early-exit", "exited", { exitCode: 3 }),
  });
});

test("X6 a server that answers and exits is heard before it is lost", async (t) => {
  const { carrier, talk } = await puppet(t);

  const { text } = await talk.result("answer-and-exit", { size: 1_000_000 });
  await talk.closed;

  assert.equal(String(text).length, 1_000_000);
  assert.equal(carrier.closeFailure?.refusal.reason, "early-exit");
});

test("X6 a grandchild that holds the pipes neither hides the exit nor survives it", async (t) => {
  const { carrier, talk } = await puppet(t);
  await talk.result("grandchild", { stubborn: true });

  const failure = await failureOf(talk.ask("exit", { code: 0 }));

  assert.equal(failure.refusal.reason, "early-exit");
  await carrier.close();
  await assertGroupGone(Number(carrier.pid));
});

test("X6 cancelling a request ends the child", async (t) => {
  const { carrier, talk } = await puppet(t, { args: ["--ignore-eof"] });
  const call = failureOf(talk.ask("silent"));

  await carrier.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });

  assert.equal((await call).refusal.reason, "cancelled");
  await carrier.close();
  await assertGroupGone(Number(carrier.pid));
});

test("X7 a server that closes its stdin and goes on fails what is sent as send", async (t) => {
  const { carrier, talk } = await puppet(t, { args: ["--ignore-eof"] });
  const pending = failureOf(talk.ask("silent"));
  await talk.result("close-stdin");

  const refused = failureOf(sendUntilRefused(carrier));

  assert.deepEqual(await refused, { refusal: stdioRefusal("send", "pipe-broken") });
  assert.deepEqual(await pending, await refused);
});

/** The first writes may still find the pipe open: the child closes it a moment after it said so. */
async function sendUntilRefused(carrier: StdioCarrier): Promise<void> {
  for (;;) await carrier.send({ jsonrpc: "2.0", method: "notifications/n" });
}

test("X6 a send of 4 MiB to a child that reads nothing ends with the close", async (t) => {
  const { carrier, talk } = await puppet(t, { args: ["--deaf"] });
  const sent = failureOf(talk.ask("echo", { text: "x".repeat(4 * 1_024 * 1_024) }));

  await carrier.close();

  assert.equal((await sent).refusal.reason, "cancelled");
});

test("X3 an executable that was replaced between admission and start is not started", async (t) => {
  const folder = await tempFolder(t);
  const [server, other] = [join(folder, "server"), join(folder, "other")];
  for (const path of [server, other]) {
    await writeFile(path, "#!/bin/sh\n");
    await chmod(path, 0o755);
  }
  const runner = fakeProcessRunner();
  const definition = stdioDefinition({ command: server });
  const adapter = createStdioAdapter({
    authority: fakeAuthority({ root: folder, executable: server }),
    runner,
    probe: createFileProbe(),
    clock: createSystemClock(),
  });
  const subject = subjectFor(definition);
  const admitted = await adapter.admit(definition, { subject, status: approvedStatus(subject) });
  assert.ok(admitted.ok);

  await rename(other, server);

  assert.deepEqual(await failureOf(adapter.construct(admitted.value).start()), {
    refusal: stdioRefusal("authority", "executable-changed"),
  });
  assert.equal(runner.launches.length, 0);
});
