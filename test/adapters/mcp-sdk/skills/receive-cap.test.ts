import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_STDIO_LIMITS } from "../../../../src/adapters/mcp-sdk/stdio-limits.ts";
import { answerLine, fakeChildCarrier, notificationLine } from "../../../kit/fake-child-carrier.ts";
import { carrierRefusal, openCarrier } from "../../../kit/http-carriers.ts";
import { event, openStream, startScriptedServer, type Script } from "../../../kit/http-mcp-server.ts";
import { failureOf, talkOver } from "../../../kit/stdio-talk.ts";

const CAP = 1_000;
const RAISED = 2_000;

/** An answer of so many bytes as JSON text. */
function answerOf(id: unknown, bytes: number): Readonly<Record<string, unknown>> {
  const bare = { jsonrpc: "2.0", id, result: { text: "" } };
  return { ...bare, result: { text: "x".repeat(bytes - JSON.stringify(bare).length) } };
}

const json =
  (bytes: number): Script =>
  ({ body }, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answerOf(body?.id, bytes)));
  };

const DATA = "data: ".length;

const stream =
  (bytes: number, before: readonly unknown[] = []): Script =>
  ({ body }, response) => {
    openStream(response);
    for (const message of before) response.write(event(message));
    response.end(event(answerOf(body?.id, bytes - DATA)));
  };

for (const [shape, script] of [
  ["a JSON body", json],
  ["an event", stream],
] as const) {
  for (const [limitBytes, bytes, isTaken] of [
    [undefined, CAP, true],
    [undefined, CAP + 1, false],
    [RAISED, RAISED - 1, true],
    [RAISED, RAISED, true],
    [RAISED, RAISED + 1, false],
    // Never below what any message may take.
    [1, CAP, true],
  ] as const) {
    const what = limitBytes === undefined ? "with no cap of its own" : `with a cap of ${limitBytes}`;
    test(`S4 H3 ${shape} of ${bytes} bytes is ${isTaken ? "taken" : "refused"} for a request ${what}`, async (t) => {
      const server = await startScriptedServer(t, script(bytes));
      const { request, received } = await openCarrier(t, server.url, { limits: { messageBytes: CAP } });
      const options = limitBytes === undefined ? {} : { receiveLimitBytes: limitBytes };

      const sent = request(1, "resources/read", options);

      if (isTaken) await sent;
      else assert.equal((await carrierRefusal(sent)).reason, "response-too-large");
      assert.equal(received.length, isTaken ? 1 : 0);
    });
  }
}

/** A notification of so many bytes as JSON text. */
function note(bytes: number): unknown {
  const bare = { jsonrpc: "2.0", method: "notifications/message", params: { data: "" } };
  return { ...bare, params: { data: "x".repeat(bytes - JSON.stringify(bare).length) } };
}

test("S4 H3 a notification on the stream of a raised cap is still bounded by the carrier's own", async (t) => {
  for (const [bytes, isTaken] of [
    [CAP, true],
    [CAP + 1, false],
  ] as const) {
    const server = await startScriptedServer(t, stream(RAISED, [note(bytes)]));
    const { request, received } = await openCarrier(t, server.url, { limits: { messageBytes: CAP } });

    const sent = request(1, "resources/read", { receiveLimitBytes: RAISED });

    if (isTaken) await sent;
    else assert.equal((await carrierRefusal(sent)).reason, "response-too-large");
    assert.equal(received.length, isTaken ? 2 : 0);
  }
});

async function child(limitBytes?: number) {
  const fake = await fakeChildCarrier({ adapter: { limits: { ...DEFAULT_STDIO_LIMITS, frameBytes: CAP } } });
  const talk = talkOver(fake.carrier);
  await fake.carrier.start();
  const message = { jsonrpc: "2.0", id: "big", method: "resources/read", params: {} } as const;
  const sent = fake.carrier.send(message, limitBytes === undefined ? {} : { receiveLimitBytes: limitBytes });
  return { ...fake, talk, sent };
}

const FRAME = { refusal: { kind: "stdio", reason: "receive-limit", detail: "frame" } };

for (const [limitBytes, bytes, isTaken] of [
  [undefined, CAP, true],
  [undefined, CAP + 1, false],
  [RAISED, RAISED - 1, true],
  [RAISED, RAISED, true],
  [RAISED, RAISED + 1, false],
  [1, CAP, true],
] as const) {
  const what = limitBytes === undefined ? "with no cap of its own" : `with a cap of ${limitBytes}`;
  test(`S4 X5 a frame of ${bytes} bytes is ${isTaken ? "taken" : "refused"} for a request ${what}`, async () => {
    const { child: program, sent, talk } = await child(limitBytes);

    program().print(`${JSON.stringify(answerOf("big", bytes))}\n`);

    if (isTaken) await sent;
    else assert.deepEqual(await failureOf(sent), FRAME);
    assert.equal(talk.messages.length, isTaken ? 1 : 0);
  });
}

test("S4 X5 a large frame that is another answer, a notification or junk ends the connection", async () => {
  const large = "x".repeat(CAP);
  for (const frame of [
    answerLine(1, { large }),
    answerLine("unknown", { large }),
    notificationLine("notifications/message", { large }),
    `${large}junk\n`,
  ]) {
    const { child: program, sent, talk, carrier } = await child(RAISED);
    const other = failureOf(talk.ask("tools/list"));
    const read = failureOf(sent);

    program().print(frame);

    assert.deepEqual([await other, await read, carrier.closeFailure], [FRAME, FRAME, FRAME]);
    assert.deepEqual(talk.messages, []);
  }
});

test("S4 X5 once the large answer is there the cap is the carrier's own again", async () => {
  const { child: program, sent, talk } = await child(RAISED);
  program().print(`${JSON.stringify(answerOf("big", RAISED))}\n`);
  await sent;
  const other = failureOf(talk.ask("tools/list"));

  program().print("x".repeat(CAP + 1));

  assert.deepEqual(await other, FRAME);
});
