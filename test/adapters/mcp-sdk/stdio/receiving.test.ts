import assert from "node:assert/strict";
import test from "node:test";

import { DEFAULT_STDIO_LIMITS, type StdioLimits } from "../../../../src/adapters/mcp-sdk/stdio-limits.ts";
import {
  type FakeChildCarrier,
  answerLine,
  fakeChildCarrier,
  notificationLine,
} from "../../../kit/fake-child-carrier.ts";
import { type Talk, failureOf, talkOver } from "../../../kit/stdio-talk.ts";

async function started(limits: Partial<StdioLimits> = {}): Promise<FakeChildCarrier & { talk: Talk }> {
  const fake = await fakeChildCarrier({ adapter: { limits } });
  const talk = talkOver(fake.carrier);
  await fake.carrier.start();
  return { ...fake, talk };
}

test("X5 the bounds of a connection are pinned", () => {
  assert.deepEqual(DEFAULT_STDIO_LIMITS, {
    frameBytes: 8_388_608,
    junkLines: 100,
    uninvited: { burst: 1_000, perSecond: 200 },
    dropped: { burst: 20_000, perSecond: 1_000 },
    waitingAnswers: 32,
    stderrLines: { burst: 200, perSecond: 50 },
  });
});

test("X5 one hundred junk lines are skipped and counted, and the answer after them is delivered", async () => {
  const { carrier, child, talk } = await started();
  const asked = talk.ask("m");

  child().print("Starting…\n".repeat(100) + answerLine(1, { ok: true }));

  assert.deepEqual(await asked, { jsonrpc: "2.0", id: 1, result: { ok: true } });
  assert.equal(carrier.report().junkLines, 100);
});

test("E7 blank lines say nothing: a server that ends each frame with two newlines is never cut off", async () => {
  const { carrier, child, talk } = await started();
  const asked = talk.ask("m");

  child().print("\n\r\n".repeat(200) + answerLine(1, { ok: true }));

  assert.deepEqual(await asked, { jsonrpc: "2.0", id: 1, result: { ok: true } });
  assert.equal(carrier.report().junkLines, 0);
});

test("X5 the hundred-and-first junk line fails the connection and everything in flight at once", async () => {
  const { carrier, child, talk, clock } = await started();
  const asked = [failureOf(talk.ask("m")), failureOf(talk.ask("n"))];

  child().print("junk\n".repeat(101));

  const failure = { refusal: { kind: "stdio", reason: "receive-invalid", detail: "junk-lines" } };
  assert.deepEqual(await Promise.all(asked), [failure, failure]);
  assert.deepEqual(carrier.closeFailure, failure);
  assert.equal(clock.pending, 0);
  await talk.closed;
});

test("X5 E8 a broken answer fails its own call at once, and the others and the connection go on", async () => {
  const { carrier, child, talk } = await started();
  const broken = failureOf(talk.ask("m"));
  const whole = talk.ask("n");

  child().print('{"jsonrpc":"2.0","id":1,"result":5}\n{"jsonrpc":"2.0","id":77,"result":5}\n');
  child().print(answerLine(2, { ok: true }));

  assert.deepEqual(await broken, {
    refusal: { kind: "session", reason: "invalid-response", serverId: "", stage: "call" },
  });
  assert.deepEqual(await whole, { jsonrpc: "2.0", id: 2, result: { ok: true } });
  assert.equal(carrier.report().junkLines, 2);
});

test("X5 nothing is delivered any more after the connection failed, not even out of the same chunk", async () => {
  const { child, talk } = await started({ junkLines: 0 });
  const asked = failureOf(talk.ask("m"));

  child().print(`junk\n${answerLine(1)}`);
  await asked;

  assert.deepEqual(talk.messages, []);
});

test("X5 a frame over the cap fails the connection as receive-limit before its newline comes", async () => {
  const { carrier, child, talk } = await started({ frameBytes: 100 });
  const asked = failureOf(talk.ask("m"));

  child().print("x".repeat(101));

  const failure = { refusal: { kind: "stdio", reason: "receive-limit", detail: "frame" } };
  assert.deepEqual(await asked, failure);
  assert.deepEqual(carrier.closeFailure, failure);
});

test("X5 notifications over the rate are dropped and counted, answers never", async () => {
  const { carrier, child, talk } = await started({ uninvited: { burst: 10.5, perSecond: 1 } });
  const asked = talk.ask("m");

  child().print(notificationLine("n").repeat(30) + answerLine(1));
  await asked;

  assert.equal(talk.messages.length, 11);
  assert.equal(carrier.report().droppedMessages, 20);
});

test("V4 X5 a list that changed is heard of behind a flood, and counts in it all the same", async () => {
  const changed = notificationLine("notifications/tools/list_changed");
  const { carrier, child, talk } = await started({
    uninvited: { burst: 1.5, perSecond: 0 },
    dropped: { burst: 10, perSecond: 0 },
  });

  child().print(notificationLine("n").repeat(5) + changed);
  const dropped = carrier.report().droppedMessages;
  child().print(changed.repeat(10));

  assert.deepEqual(
    talk.messages.slice(0, 2).map((message) => "method" in message && message.method),
    ["n", "notifications/tools/list_changed"],
  );
  assert.equal(dropped, 4);
  assert.deepEqual(carrier.closeFailure, {
    refusal: { kind: "stdio", reason: "receive-limit", detail: "flood" },
  });
});

test("X5 the rate lets as many through again as time has passed", async () => {
  const { child, talk, clock } = await started({ uninvited: { burst: 2.5, perSecond: 1 } });
  child().print(notificationLine("n").repeat(5));
  assert.equal(talk.messages.length, 2);

  await clock.advance(1_000);
  child().print(notificationLine("n").repeat(5));

  assert.equal(talk.messages.length, 3);
});

test("X5 a server that goes on flooding loses the connection as receive-limit", async () => {
  const { carrier, child, talk } = await started({
    uninvited: { burst: 1, perSecond: 1 },
    dropped: { burst: 10, perSecond: 1 },
  });
  const asked = failureOf(talk.ask("m"));

  child().print(notificationLine("n").repeat(20));

  const failure = { refusal: { kind: "stdio", reason: "receive-limit", detail: "flood" } };
  assert.deepEqual(await asked, failure);
  assert.deepEqual(carrier.closeFailure, failure);
});

test("X5 a large notification weighs as much as many small ones", async () => {
  const { child, talk } = await started({ uninvited: { burst: 10, perSecond: 1 } });

  child().print(notificationLine("n", { text: "x".repeat(8 * 65_536) }));
  child().print(notificationLine("n", { text: "x".repeat(8 * 65_536) }));

  assert.equal(talk.messages.length, 1);
});

test("X5 an answer that nobody waits for is dropped and counted", async () => {
  const { carrier, child, talk } = await started();
  const asked = talk.ask("m");

  child().print(answerLine(2) + answerLine("1") + answerLine(1) + answerLine(1));
  await asked;

  assert.deepEqual(talk.messages, [{ jsonrpc: "2.0", id: 1, result: {} }]);
  assert.equal(carrier.report().unknownAnswers, 3);
});

test("X5 a flood of answers that nobody waits for ends like one of notifications", async () => {
  const { carrier, child } = await started({
    uninvited: { burst: 1, perSecond: 1 },
    dropped: { burst: 5, perSecond: 1 },
  });

  child().print(answerLine(9).repeat(20));

  assert.equal(carrier.closeFailure?.refusal.reason, "receive-limit");
});

test("X5 a server that asks and does not read the answers is not asked for more of them", async () => {
  const { carrier, child, talk } = await started({ waitingAnswers: 2 });
  child().isDeaf = true;
  const answers: Promise<unknown>[] = [];
  for (const id of [1, 2, 3]) {
    child().print(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    if (talk.messages.length === id)
      answers.push(failureOf(carrier.send({ jsonrpc: "2.0", id, result: {} })));
  }

  assert.equal(talk.messages.length, 2);
  assert.equal(carrier.report().droppedMessages, 1);
  await carrier.close();
  await Promise.all(answers);
});

test("X5 a message handler that throws ends neither the reading nor the host", async () => {
  const { carrier, child, talk } = await started();
  const fault = new Error("handler");
  Object.assign(carrier, {
    onmessage: () => {
      throw fault;
    },
  });
  const sent = carrier.send({ jsonrpc: "2.0", id: 1, method: "m" });

  child().print(answerLine(1));
  await sent;

  assert.deepEqual(talk.errors, [fault]);
  assert.equal(carrier.closeFailure, undefined);
});
