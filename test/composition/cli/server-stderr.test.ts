import assert from "node:assert/strict";
import { test } from "node:test";

import { createServerStderr } from "../../../src/composition/cli/server-stderr.ts";
import { approveByCommand, commandPlace } from "../../kit/commands.ts";

const STDIO = { kind: "stdio", reason: "early-exit" } as const;

function collected(passes: boolean) {
  const notes: string[] = [];
  const output = {
    answer: () => assert.fail("stderr of a server is no answer"),
    note: (line: string) => void notes.push(line),
    flush: async () => true,
  };
  return { notes, stderr: createServerStderr(output, passes) };
}

/** A server that writes that many lines to stderr and ends. */
function dying(lines: number): object {
  const code = `for (let i = 1; i <= ${lines}; i += 1) console.error("line " + i + " \\u202e"); process.exitCode = 3;`;
  return { command: process.execPath, args: ["-e", code] };
}

test("X5 a server that died is told with the end of its stderr, by tools and call, and one that works is not", async (t) => {
  const place = await commandPlace(t, { server: dying(25) });
  await approveByCommand(place, "server");

  const listed = await place.run(["tools", "server"]);
  const called = await place.run(["call", "server__echo"]);

  assert.deepEqual([listed.code, listed.stdout], [4, "server (failed)\n"]);
  assert.deepEqual([called.code, called.stdout], [4, ""]);
  for (const { stderr } of [listed, called]) {
    const [failure, head, ...lines] = stderr.trimEnd().split("\n");
    assert.match(failure ?? "", /^sallyport: server: The server ended by itself.*exit code 3/);
    assert.equal(head, "sallyport: server wrote to stderr, the last 20 of 25 lines:");
    assert.equal(lines.length, 20);
    assert.match(lines[0] ?? "", /^ {2}\| line 6\b/);
    assert.doesNotMatch(stderr, /\u202e/);
  }
});

test("X5 with --server-stderr every line is passed through under the server's name, once", async (t) => {
  const place = await commandPlace(t, { server: dying(25) });
  await approveByCommand(place, "server");

  const ran = await place.run(["tools", "--server-stderr", "--json"]);

  const lines = ran.stderr.split("\n").filter((line) => line.includes("line "));
  assert.equal(lines.length, 25);
  assert.ok(lines.every((line) => line.startsWith("[server] line ")));
  assert.equal(JSON.parse(ran.stdout).servers[0].state, "failed");
});

test("X5 nothing is told of a server that did not fail, or whose stderr explains nothing", () => {
  const { notes, stderr } = collected(false);
  stderr.onLine("a", "noise");
  stderr.onLine("b", "noise");
  stderr.explain("b", { kind: "call", reason: "unknown-tool" });
  stderr.explain("quiet", STDIO);

  stderr.tell();

  assert.deepEqual(notes, []);
});

test("X5 a line of a server is shown up to 500 characters", () => {
  const { notes, stderr } = collected(false);
  for (const length of [500, 501]) stderr.onLine("a", "x".repeat(length));
  stderr.explain("a", STDIO);

  stderr.tell();

  assert.deepEqual(notes.slice(1), [`  | ${"x".repeat(500)}`, `  | ${"x".repeat(500)}…`]);
});
