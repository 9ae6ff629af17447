import assert from "node:assert/strict";
import test from "node:test";

import { createStderrReader } from "../../../../src/adapters/mcp-sdk/stdio-stderr.ts";
import { fakeChildCarrier } from "../../../kit/fake-child-carrier.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import { fromVariable } from "../../../kit/stdio-definition.ts";

const SECRET = "hunter2-hunter2";

function reading(secrets: readonly string[] = [], rate = { burst: 100, perSecond: 1 }) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const reader = createStderrReader({ sink: (line) => void lines.push(line), secrets, clock, rate });
  return { lines, clock, reader, push: (text: string) => reader.push(Buffer.from(text)) };
}

test("X5 without a sink only a byte count and a truncated flag leave", () => {
  const reader = createStderrReader({
    sink: undefined,
    secrets: [],
    clock: new FakeClock(),
    rate: { burst: 1, perSecond: 1 },
  });
  assert.deepEqual(reader.report(), { bytes: 0, truncated: false });

  reader.push(Buffer.from("one\ntwo"));

  assert.deepEqual(reader.report(), { bytes: 7, truncated: true });
});

test("X5 a sink gets whole lines, whatever the chunks, and the last one without its newline", () => {
  const { lines, reader, push } = reading();

  push("on");
  push("e\n\ntwo\nth");
  push("ree");
  reader.end();

  assert.deepEqual(lines, ["one", "", "two", "three"]);
  assert.deepEqual(reader.report(), { bytes: 14, truncated: false });
});

test("X5 a character that two chunks share is shown whole", () => {
  const { lines, reader } = reading();
  const bytes = Buffer.from("für\n");

  reader.push(bytes.subarray(0, 2));
  reader.push(bytes.subarray(2));

  assert.deepEqual(lines, ["für"]);
});

test("B5 a secret of the launch is masked although two chunks share it", () => {
  const { lines, push } = reading([SECRET]);

  push(`accessToken: ${SECRET.slice(0, 5)}`);
  push(`${SECRET.slice(5)}\n`);

  assert.equal(lines.join().includes(SECRET.slice(5)), false);
  assert.equal(lines.length, 1);
});

test("X5 a line without end is cut, told as truncated, and the next one is shown", () => {
  const { lines, reader, push } = reading();

  for (let count = 0; count < 100; count += 1) push("word ".repeat(1_000));
  push("\nnext\n");

  assert.deepEqual([lines.length, lines[0]?.length, lines[1]], [2, 4_096, "next"]);
  assert.deepEqual(reader.report(), { bytes: 500_006, truncated: true });
});

test("B5 a secret at the very end of what is kept of a line is not shown in part", () => {
  const { lines, push } = reading([SECRET]);
  // Invisible characters fill what is kept, so that the cut falls into the secret and near the shown part.
  for (let zeros = 5_560; zeros < 5_590; zeros += 1)
    push(`${"\u200b".repeat(zeros)}${SECRET}${"y".repeat(400)}\n`);

  assert.equal(
    lines.some((line) => line.includes(SECRET.slice(0, 4))),
    false,
  );
});

test("E13 lines over the rate are dropped and told as truncated, and the rate comes back with time", async () => {
  const { lines, clock, reader, push } = reading([], { burst: 2, perSecond: 1 });

  push("a\nb\nc\n");
  await clock.advance(1_000);
  push("d\n");

  assert.deepEqual(lines, ["a", "b", "d"]);
  assert.deepEqual(reader.report(), { bytes: 8, truncated: true });
});

test("E13 a sink that throws does not end the reading", () => {
  let calls = 0;
  const reader = createStderrReader({
    sink: () => {
      calls += 1;
      throw new Error("full disk");
    },
    secrets: [],
    clock: new FakeClock(),
    rate: { burst: 10, perSecond: 1 },
  });

  reader.push(Buffer.from("a\nb\n"));

  assert.equal(calls, 2);
});

test("B5 the sink of an adapter gets lines under the server's name, masked with the launch's secrets", async () => {
  const seen: (readonly [line: string, serverId: string])[] = [];
  const { carrier, child } = await fakeChildCarrier({
    env: new Map([["API_TOKEN", fromVariable(SECRET, "API_TOKEN")]]),
    adapter: { stderr: (line, serverId) => void seen.push([line, serverId]) },
  });
  await carrier.start();

  child().printError(`accessToken: ${SECRET}\n`);

  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.[1], "files");
  assert.equal(seen[0]?.[0].includes(SECRET), false);
  assert.equal(carrier.report().stderr.bytes, 14 + SECRET.length);
});
