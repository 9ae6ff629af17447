import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { McpServer } from "@modelcontextprotocol/server";

import { accept } from "../../../src/composition/cli/accept.ts";
import { approve } from "../../../src/composition/cli/approve.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import type { Command } from "../../../src/composition/cli/command.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside, type InsideOptions, type RanInside } from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

interface World {
  /** By name and description, as the server has them now. */
  tools: Record<string, string>;
  run(command: Command, args: readonly string[], options?: InsideOptions): Promise<RanInside>;
}

/** A server that is approved and was discovered once. */
async function pinnedWorld(t: TestContext): Promise<World> {
  const world: Pick<World, "tools"> = { tools: { echo: "Says it again", mail: "Sends a mail" } };
  const url = await startSdkServer(t, () => {
    const server = new McpServer({ name: "changing", version: "1.0.0" });
    for (const [name, description] of Object.entries(world.tools)) {
      server.registerTool(name, { description }, () => ({ content: [{ type: "text", text: name }] }));
    }
    return server;
  });
  const folders = await hostFolders(t, { web: { url } });
  const run: World["run"] = (command, args, options) => runInside(command, folders, args, options);
  await run(trust, ["trust", "--yes"]);
  await run(approve, ["approve", "web", "--yes"]);
  const first = await run(tools, ["tools"]);
  assert.deepEqual([first.code, first.notes], [0, []]);
  return Object.assign(world, { run });
}

function changesIn(ran: RanInside): unknown {
  const { changes } = JSON.parse(ran.stdout);
  return changes.map(({ change, name }: { change: string; name: string }) => [change, name]);
}

test("A7 tools says on stderr what differs, a server a line, and the command that shows it", async (t) => {
  const world = await pinnedWorld(t);
  world.tools = { echo: "Says it again", mail: "Sends more", extra: "New" };

  const ran = await world.run(tools, ["tools"]);

  assert.equal(ran.code, 0);
  assert.equal(ran.notes.length, 1);
  assert.match(
    ran.notes[0] ?? "",
    /^sallyport: web: of its tools are 1 changed and 1 new .*tools web --changes$/,
  );
});

test("A7 tools --changes shows a person what was removed and what was added", async (t) => {
  const world = await pinnedWorld(t);
  world.tools["mail"] = "Sends a mail\u200B";

  const ran = await world.run(tools, ["tools", "--changes"]);

  assert.equal(ran.code, 0);
  assert.match(
    ran.stdout,
    /^web: changed: web__mail\n    - description: Sends a mail\n    \+ description: Sends a mail\\u\{200b\}\n/,
  );
  assert.deepEqual(ran.notes, []);
});

test("A7 tools --changes says when nothing differs", async (t) => {
  const world = await pinnedWorld(t);

  assert.equal(
    (await world.run(tools, ["tools", "--changes"])).stdout,
    "No tool differs from what was pinned.\n",
  );
});

test("M5 A7 tools --changes --json has the pinned shape", async (t) => {
  const world = await pinnedWorld(t);
  world.tools["extra"] = "New";

  const { servers, changes } = JSON.parse((await world.run(tools, ["tools", "--changes", "--json"])).stdout);

  assert.deepEqual(servers, [{ name: "web", state: "connected", era: "legacy" }]);
  assert.deepEqual(
    changes.map(({ after, ...rest }: { after: string }) => [rest, after.split("\n")[0]]),
    [
      [
        { server: "web", name: "web__extra", sourceName: "extra", change: "new", before: null },
        "description: New",
      ],
    ],
  );
});

test("A7 accept shows, asks and pins what was named; the rest still differs", async (t) => {
  const world = await pinnedWorld(t);
  world.tools = { echo: "Other", mail: "Other too" };

  const ran = await world.run(accept, ["accept", "web", "mail", "--json"], { answer: async () => "yes" });

  assert.equal(ran.code, 0);
  assert.deepEqual(JSON.parse(ran.stdout), {
    server: "web",
    accepted: [{ name: "web__mail", sourceName: "mail", change: "changed" }],
  });
  assert.match(ran.notes.join("\n"), /- description: Sends a mail\n.*\+ description: Other too/);
  assert.doesNotMatch(ran.notes.join("\n"), /Says it again/);
  assert.deepEqual(changesIn(await world.run(tools, ["tools", "--changes", "--json"])), [
    ["changed", "web__echo"],
  ]);
});

test("A7 accept takes a name of the catalog too, and all that differs without names", async (t) => {
  const world = await pinnedWorld(t);
  world.tools = { echo: "Other", mail: "Other too", extra: "New" };

  const one = await world.run(accept, ["accept", "web", "web__extra", "--yes"]);
  const rest = await world.run(accept, ["accept", "web", "--yes"]);
  const none = await world.run(accept, ["accept", "web", "--yes"]);

  assert.deepEqual(
    [one, rest, none].map(({ code, stdout }) => [code, stdout]),
    [
      [0, "accepted web__extra\n"],
      [0, "accepted web__echo, web__mail\n"],
      [0, "nothing to accept\n"],
    ],
  );
});

for (const consent of ["no", "nobody"] as const) {
  test(`A7 M6 accept writes nothing when the answer is ${consent}`, async (t) => {
    const world = await pinnedWorld(t);
    world.tools["mail"] = "Other";

    const ran = await world.run(accept, ["accept", "web"], { answer: async () => consent });

    assert.equal(ran.code, 6);
    assert.deepEqual(changesIn(await world.run(tools, ["tools", "--changes", "--json"])), [
      ["changed", "web__mail"],
    ]);
  });
}

test("A7 accept of a tool that does not differ, or of no server, is 2 and pins nothing", async (t) => {
  const world = await pinnedWorld(t);
  world.tools["mail"] = "Other";

  const codes = [];
  for (const words of [["web", "echo"], ["web", "mail", "none"], ["nobody"]]) {
    codes.push((await world.run(accept, ["accept", ...words, "--yes"])).code);
  }

  assert.deepEqual(codes, [2, 2, 2]);
  assert.deepEqual(changesIn(await world.run(tools, ["tools", "--changes", "--json"])), [
    ["changed", "web__mail"],
  ]);
});

test("A7 call says that a tool differs, and with --pins hold it is 6 and not called", async (t) => {
  const world = await pinnedWorld(t);
  world.tools["mail"] = "Other";

  const told = await world.run(call, ["call", "web__mail"]);
  const held = await world.run(call, ["call", "web__mail", "--pins", "hold"]);

  assert.deepEqual([told.code, told.stdout], [0, "mail\n"]);
  assert.match(told.notes.join("\n"), /changed since the tools of its server were pinned/);
  assert.deepEqual([held.code, held.stdout], [6, ""]);
});
