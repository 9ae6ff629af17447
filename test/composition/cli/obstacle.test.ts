import assert from "node:assert/strict";
import { test } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { explain } from "../../../src/composition/cli/explain.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside } from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";

const NEVER: readonly (readonly [entry: object, reason: string])[] = [
  [{ url: "http://mcp.example.com/" }, "insecure-scheme"],
  [{ url: "https://10.0.0.1/" }, "private-address"],
  [{ url: "https://169.254.169.254/" }, "metadata-address"],
  [{ type: "sse", url: "https://mcp.example.com/" }, "sse-transport"],
  [{ type: "ws", url: "wss://mcp.example.com/" }, "websocket-transport"],
  [{ url: "https://mcp.example.com/", headers: { Host: "x" } }, "reserved-header"],
];

for (const [entry, reason] of NEVER) {
  test(`M3 what can never work for ${reason} is explained, and told before the question`, async (t) => {
    const folders = await hostFolders(t, { web: entry });
    await runInside(trust, folders, ["trust", "--yes"]);

    const explained = await runInside(explain, folders, ["explain", "web", "--json"]);
    const approved = await runInside(approve, folders, ["approve", "web"], { answer: async () => "yes" });

    const { obstacle } = JSON.parse(explained.stdout);
    assert.equal(obstacle.reason, reason);
    assert.equal(
      approved.notes.at(-1),
      `sallyport: web cannot be used as it is, approved or not: ${obstacle.message}`,
    );
    assert.deepEqual([approved.asked, approved.code], [["Approve web?"], 0]);
  });
}

for (const url of ["https://mcp.example.com/", "http://127.0.0.1:8080/", "http://localhost:8080/"]) {
  test(`M3 nothing speaks against ${url} before it is contacted`, async (t) => {
    const folders = await hostFolders(t, { web: { url } });
    await runInside(trust, folders, ["trust", "--yes"]);

    const explained = await runInside(explain, folders, ["explain", "web", "--json"]);
    const approved = await runInside(approve, folders, ["approve", "web", "--yes"]);

    assert.equal(JSON.parse(explained.stdout).obstacle, undefined);
    assert.doesNotMatch(approved.notes.join("\n"), /cannot be used/);
  });
}
