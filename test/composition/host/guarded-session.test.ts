import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { McpHostOptions } from "../../../src/composition/host/host-options.ts";
import type { McpSession } from "../../../src/composition/flows/mcp-session.ts";
import { valueOf } from "../../kit/activation.ts";
import { callsOf, faultHost, startFaultServer } from "../../kit/fault-servers.ts";
import { hostIn } from "../../kit/hosts.ts";
import type { ScriptedServer } from "../../kit/http-mcp-server.ts";

interface World {
  readonly server: ScriptedServer;
  /** What the server lists: names and descriptions. */
  readonly tools: Map<string, string>;
  readonly lists: { broken: boolean };
  /** A session of a host that starts now. */
  readonly session: (options?: McpHostOptions) => Promise<McpSession>;
}

/** A server whose tools were pinned, and may change from then on. */
async function world(t: TestContext, entry: object = {}): Promise<World> {
  const tools = new Map([
    ["echo", "Says it again"],
    ["mail", "Sends a mail"],
  ]);
  const lists = { broken: false };
  const server = await startFaultServer(t, {
    list: () =>
      lists.broken
        ? { tools: "none" }
        : {
            tools: [...tools].map(([name, description]) => ({
              name,
              description,
              inputSchema: { type: "object" },
            })),
          },
  });
  const { host, folders } = await faultHost(t, { s: { url: server.url, ...entry } });
  await host.catalog();
  const session: World["session"] = async (options = {}) =>
    valueOf(await (await hostIn(t, folders, options)).connect("s"));
  return { server, tools, lists, session };
}

async function reasonOf(session: McpSession, name: string): Promise<string> {
  const answer = await session.callTool(name, {});
  return answer.ok ? "called" : answer.refusal.refusal.reason;
}

test("A7 under hold a session calls no changed, new or unlisted tool, and the others", async (t) => {
  const { server, tools, session } = await world(t);
  tools.set("mail", "Sends a mail, and a copy").set("extra", "New");
  const held = await session({ pins: "hold" });

  const reasons = [];
  for (const name of ["mail", "extra", "hidden", "echo"]) reasons.push(await reasonOf(held, name));

  assert.deepEqual(reasons, ["tool-held", "tool-held", "unknown-tool", "called"]);
  assert.deepEqual(callsOf(server), ["echo"]);
});

for (const pins of ["report", "off"] as const) {
  test(`A7 under ${pins} a session calls what it is told to, and reads no list for it`, async (t) => {
    const { server, tools, session } = await world(t);
    tools.set("mail", "Sends a mail, and a copy");
    const free = await session({ pins });
    const before = server.requests.filter(({ body }) => body?.method === "tools/list").length;

    assert.equal(await reasonOf(free, "mail"), "called");
    assert.equal(await reasonOf(free, "hidden"), "called");
    assert.equal(server.requests.filter(({ body }) => body?.method === "tools/list").length, before);
  });
}

test("D5 a session calls no tool that the definition leaves out, whatever is done about pins", async (t) => {
  const { server, session } = await world(t, { tools: { allow: ["e*"], deny: ["evil"] } });

  for (const pins of ["hold", "report", "off"] as const) {
    const filtered = await session({ pins });
    assert.equal(await reasonOf(filtered, "mail"), "unknown-tool");
    assert.equal(await reasonOf(filtered, "evil"), "unknown-tool");
    assert.equal(await reasonOf(filtered, "echo"), "called");
  }
  assert.deepEqual(callsOf(server), ["echo", "echo", "echo"]);
});

test("A7 K1 under hold a list that cannot be read is why nothing is called", async (t) => {
  const { server, lists, session } = await world(t);
  lists.broken = true;

  assert.equal(await reasonOf(await session({ pins: "hold" }), "echo"), "invalid-response");
  assert.deepEqual(callsOf(server), []);
});

test("V3 A7 callers share one guarded session, which is the live one in everything else", async (t) => {
  const { session: open } = await world(t);
  const session = await open({ pins: "hold" });

  assert.equal(session.serverId, "s");
  assert.equal(session.server.era, "legacy");
  assert.equal((await session.discover({ kinds: ["tools"] })).tools.items.length, 2);
  const { identity } = session;
  assert.equal(session.identity, identity);
  await session.close();
  assert.equal((await session.closed).refusal.reason, "closed");
});

test("V3 A7 whoever connects again gets the same session", async (t) => {
  const { server } = await world(t);
  const { host } = await faultHost(t, { s: { url: server.url } }, { pins: "hold" });

  const [one, two] = [valueOf(await host.connect("s")), valueOf(await host.connect("s"))];

  assert.equal(one, two);
});
