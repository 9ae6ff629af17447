import assert from "node:assert/strict";
import { test } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { closestNames } from "../../../src/composition/cli/closest-names.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside } from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

const TOOLS = ["echo", "read_file", "write_file"].map((sourceName) => ({
  name: `files__${sourceName}`,
  sourceName,
}));

const MEANT: readonly (readonly [written: string, names: readonly string[]])[] = [
  ["echo", ["files__echo"]],
  ["mcp__files__ECHO", ["files__echo"]],
  ["files__ehco", ["files__echo"]],
  ["files__read-fil", ["files__read_file"]],
  ["files__echo1234", []],
  ["files__echo123", ["files__echo"]],
  ["other", []],
  [`files__echo${"x".repeat(60)}`, []],
];

for (const [written, names] of MEANT) {
  test(`M5 whoever writes ${written.slice(0, 20)} may have meant ${names.join() || "nothing"}`, () => {
    assert.deepEqual(closestNames(written, TOOLS), names);
  });
}

test("M5 three names are suggested at most, the closest first", () => {
  const tools = ["aab", "aaa", "abb", "bbb", "aac"].map((name) => ({ name, sourceName: `x${name}xxx` }));

  assert.deepEqual(closestNames("aaa", tools), ["aaa", "aab", "aac"]);
});

test("M5 a tool that is not there is named, with the closest that is and the verb that lists them", async (t) => {
  const folders = await hostFolders(t, { web: { url: await startSdkServer(t) } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);

  const close = await runInside(call, folders, ["call", "web__ecco", "--json"]);
  const far = await runInside(call, folders, ["call", "web__nothing_like_it"]);

  assert.equal(close.code, 2);
  assert.match(
    close.notes.join("\n"),
    /^sallyport: there is no tool "web__ecco"; did you mean "web__echo"\? To list them: sallyport .*tools$/,
  );
  assert.equal(JSON.parse(close.stdout).error.reason, "unknown-tool");
  assert.match(far.notes[0] ?? "", /no tool "web__nothing_like_it"; to list them: sallyport .*tools$/);
});

test("M5 a name that no approved server can have is told with how names are made, escaped and cut", async (t) => {
  const folders = await hostFolders(t, {});

  const ran = await runInside(call, folders, ["call", `e\u202e${"x".repeat(300)}`]);

  assert.equal(ran.code, 2);
  assert.match(ran.notes[0] ?? "", /no tool "e\\u\{202e\}x{98}": a tool's name begins with .* SERVER__TOOL;/);
});
