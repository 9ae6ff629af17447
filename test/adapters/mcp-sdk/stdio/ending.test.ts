import assert from "node:assert/strict";
import test from "node:test";

import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import {
  type FakeChildCarrier,
  type FakeChildOptions,
  answerLine,
  fakeChildCarrier,
} from "../../../kit/fake-child-carrier.ts";
import { type Talk, failureOf, talkOver } from "../../../kit/stdio-talk.ts";

async function started(options: FakeChildOptions = {}): Promise<FakeChildCarrier & { talk: Talk }> {
  const fake = await fakeChildCarrier(options);
  const talk = talkOver(fake.carrier);
  await fake.carrier.start();
  return { ...fake, talk };
}

function cancellation(requestId: number | string): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason: "private words", _meta: { "io.modelcontextprotocol/protocolVersion": "x" } },
  };
}

test("X6 a send of a request stays pending until its answer was delivered", async () => {
  const { carrier, child, talk } = await started();
  let isSettled = false;
  const sent = carrier.send({ jsonrpc: "2.0", id: 7, method: "m" }).then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isSettled, false);

  child().print(answerLine(7));

  assert.equal(talk.messages.length, 1);
  await sent;
});

test("X7 a server that exits fails everything in flight at once as early-exit, with its code", async () => {
  const { carrier, child, talk, clock } = await started();
  const asked = failureOf(talk.ask("m"));

  child().exit({ code: 3 });

  const failure = { refusal: { kind: "stdio", reason: "early-exit", detail: "exited", exitCode: 3 } };
  assert.deepEqual(await asked, failure);
  await talk.closed;
  assert.deepEqual(carrier.closeFailure, failure);
  assert.equal(clock.pending, 0);
});

test("X7 a server that a signal ended is refused as early-exit/signalled", async () => {
  const { child, talk } = await started();
  const asked = failureOf(talk.ask("m"));

  child().exit({ code: null, signal: "SIGSEGV" });

  assert.deepEqual(await asked, { refusal: { kind: "stdio", reason: "early-exit", detail: "signalled" } });
});

test("X7 a broken pipe of a child that goes on is refused as send once the exit did not come", async () => {
  const { carrier, child, talk, clock } = await started();
  child().breakPipe();
  const asked = failureOf(talk.ask("m"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(carrier.closeFailure, undefined);

  await clock.advance(250);

  assert.deepEqual(await asked, { refusal: { kind: "stdio", reason: "send", detail: "pipe-broken" } });
  assert.equal(child().stops, 1);
});

test("X7 a broken pipe of a child that exits is refused as early-exit", async () => {
  const { child, talk, clock } = await started();
  child().breakPipe();
  const asked = failureOf(talk.ask("m"));
  await new Promise((resolve) => setImmediate(resolve));

  child().exit({ code: 1 });

  assert.equal((await asked).refusal.reason, "early-exit");
  assert.equal(clock.pending, 0);
});

test("X6 cancelling a request closes the child, and nothing is sent to it", async () => {
  const { carrier, child, talk, heard } = await started();
  const asked = failureOf(talk.ask("tools/call"));

  await carrier.send(cancellation(1));

  const failure = { refusal: { kind: "stdio", reason: "cancelled", detail: "by-request" } };
  assert.deepEqual(await asked, failure);
  assert.deepEqual(carrier.closeFailure, failure);
  assert.equal(child().stops, 1);
  assert.deepEqual(
    heard.map(({ method }) => method),
    ["tools/call"],
  );
});

test("X6 a host that chose to notify cancels on the wire, without the reason's words", async () => {
  const { carrier, talk, heard } = await started({ cancel: "notify" });
  const asked = failureOf(talk.ask("tools/call"));

  await carrier.send(cancellation(1));

  assert.equal((await asked).refusal.reason, "cancelled");
  assert.equal(carrier.closeFailure, undefined);
  assert.deepEqual(heard[1], {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1, _meta: { "io.modelcontextprotocol/protocolVersion": "x" } },
  });
});

test("X6 ending a subscription is told on the wire and leaves the child running", async () => {
  const { carrier, child, talk, heard } = await started();
  const listening = failureOf(talk.ask("subscriptions/listen"));

  await carrier.send(cancellation(1));

  assert.equal((await listening).refusal.reason, "cancelled");
  assert.equal(heard[1]?.["method"], "notifications/cancelled");
  assert.equal(child().stops, 0);
});

test("X6 cancelling what was already answered does nothing", async () => {
  const { carrier, child, talk, heard } = await started();
  const asked = talk.ask("m");
  child().print(answerLine(1));
  await asked;

  await carrier.send(cancellation(1));

  assert.equal(child().stops, 0);
  assert.equal(heard.length, 1);
});

test("X6 closing rejects what is in flight, stops the child once and says closed once", async () => {
  const { carrier, child, talk } = await started();
  const asked = failureOf(talk.ask("m"));

  await Promise.all([carrier.close(), carrier.close()]);
  await carrier[Symbol.asyncDispose]();

  assert.deepEqual(await asked, { refusal: { kind: "stdio", reason: "cancelled", detail: "by-close" } });
  assert.equal(child().stops, 1);
  assert.equal(talk.closes(), 1);
  assert.equal(carrier.closeFailure, undefined);
});

test("X6 a failure says closed once, also when the host closes behind it", async () => {
  const { carrier, child, talk } = await started();
  child().exit();
  await talk.closed;

  await carrier.close();

  assert.equal(talk.closes(), 1);
});

test("X7 survivors of a close are told as cleanup", async () => {
  const { carrier, child } = await started();
  child().clean = false;

  await carrier.close();

  assert.deepEqual(carrier.closeFailure, {
    refusal: { kind: "stdio", reason: "cleanup", detail: "survivors" },
  });
});

test("X6 a close handler that throws reaches nobody but the error handler", async () => {
  const { carrier, talk } = await started();
  const fault = new Error("handler");
  Object.assign(carrier, {
    onclose: () => {
      throw fault;
    },
  });

  await carrier.close();

  assert.deepEqual(talk.errors, [fault]);
});

test("X6 a send to a child that stopped reading is given up at close", async () => {
  const { carrier, child } = await started();
  child().isDeaf = true;
  const sends = [
    failureOf(carrier.send({ jsonrpc: "2.0", id: 1, method: "m" })),
    failureOf(carrier.send({ jsonrpc: "2.0", method: "notifications/n" })),
  ];

  await carrier.close();

  const failure = { refusal: { kind: "stdio", reason: "cancelled", detail: "by-close" } };
  assert.deepEqual(await Promise.all(sends), [failure, failure]);
});

test("X7 a send before the start is refused as send/not-started", async () => {
  const { carrier } = await fakeChildCarrier();

  assert.deepEqual(await failureOf(carrier.send({ jsonrpc: "2.0", method: "n" })), {
    refusal: { kind: "stdio", reason: "send", detail: "not-started" },
  });
});

test("X7 a send after a failure is refused with that failure", async () => {
  const { carrier, child, talk } = await started();
  child().exit({ code: 9 });
  await talk.closed;

  assert.equal((await failureOf(talk.ask("m"))).refusal.reason, "early-exit");
  assert.equal(carrier.closeFailure?.refusal.reason, "early-exit");
});

test("X7 a message that JSON cannot say is refused as invalid-input, and the connection stays", async () => {
  const { carrier, child, talk } = await started();
  const params: Record<string, unknown> = {};
  params["self"] = params;

  assert.deepEqual(await failureOf(talk.ask("m", params)), {
    refusal: { kind: "stdio", reason: "invalid-input", detail: "not-serialisable" },
  });

  const asked = talk.ask("m");
  child().print(answerLine(2));
  await asked;
  assert.equal(carrier.closeFailure, undefined);
});

test("X5 two requests of one id at a time are a caller's bug", async () => {
  const { carrier, child } = await started();
  const first = carrier.send({ jsonrpc: "2.0", id: 1, method: "m" });

  await assert.rejects(carrier.send({ jsonrpc: "2.0", id: 1, method: "m" }), TypeError);

  child().print(answerLine(1));
  await first;
});
