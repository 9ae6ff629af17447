import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { createMcpHttpHost } from "../../../src/composition/serve/http-hosts.ts";
import type { McpHttpHostOptions } from "../../../src/composition/serve/http-loopback-host.ts";
import type { GateRecord } from "../../../src/domain/gate/gate-record.ts";
import type { AgentSession } from "../../../src/ports/agent-session.ts";
import { completed, createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import { clientOf, ERAS, type Era } from "../../kit/served-clients.ts";

interface Served {
  readonly url: string;
  readonly token: string;
  readonly records: readonly GateRecord[];
}

async function serve(
  t: TestContext,
  session: AgentSession,
  options: Partial<McpHttpHostOptions> = {},
): Promise<Served> {
  const records: GateRecord[] = [];
  const host = createMcpHttpHost({
    name: "served",
    version: "1.2.3",
    session,
    audit: (record) => records.push(record),
    ...options,
  });
  t.after(() => host.stop());
  return { ...(await host.start()), records };
}

/** The official client on a real socket. */
async function connect(
  t: TestContext,
  { url, token, client: given }: Pick<Served, "url" | "token"> & { readonly client?: Client },
  era: Era,
): Promise<Client> {
  const client = given ?? clientOf(era);
  t.after(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

for (const era of ERAS) {
  test(`R8 ${era} the official client lists and calls through a loopback host`, async (t) => {
    const session = createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });
    const client = await connect(t, await serve(t, session), era);

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "echo", arguments: { text: "hä" } });

    assert.deepEqual(
      tools.map(({ name }) => name),
      ["echo"],
    );
    assert.deepEqual(result.content, [{ type: "text", text: "hä" }]);
    assert.deepEqual(client.getServerVersion(), { name: "served", version: "1.2.3" });
  });

  test(`R4 ${era} the official client without the token gets nowhere, and the session hears nothing`, async (t) => {
    const session = createFakeAgentSession({ echo: () => completed("") });
    const served = await serve(t, session);

    await assert.rejects(connect(t, { ...served, token: "x" }, era));

    assert.deepEqual(session.invoked, []);
    assert.ok(served.records.length > 0);
    assert.deepEqual(new Set(served.records.map(({ reason }) => reason)), new Set(["wrong-token"]));
  });

  test(`R3b ${era} 16 clients call at once with the same ids, and each gets its own answer`, async (t) => {
    const all = Promise.withResolvers<void>();
    const session = createFakeAgentSession({
      echo: async ({ text }) => {
        if (session.invoked.length === 16) all.resolve();
        await all.promise;
        return completed(String(text));
      },
    });
    const served = await serve(t, session);
    const clients: Client[] = [];
    // One after the other: sixteen at once are as many as a host takes.
    for (let at = 0; at < 16; at += 1) clients.push(await connect(t, served, era));

    const results = await Promise.all(
      clients.map((client, at) => client.callTool({ name: "echo", arguments: { text: `text ${at}` } })),
    );

    assert.deepEqual(
      results.map(({ content }) => content),
      Array.from({ length: 16 }, (_, at) => [{ type: "text", text: `text ${at}` }]),
    );
  });
}

test("R2 2026-07-28 a client that cancels ends its own invocation, and no other's", async (t) => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const ended: string[] = [];
  const session = createFakeAgentSession({
    wait: async ({ who }, { signal }) => {
      if (session.invoked.length === 2) started.resolve();
      await Promise.race([untilAborted(signal).then(() => ended.push(String(who))), release.promise]);
      return completed(String(who));
    },
  });
  const served = await serve(t, session);
  const [leaving, staying] = [await connect(t, served, "2026-07-28"), await connect(t, served, "2026-07-28")];
  const controller = new AbortController();
  const left = leaving.callTool(
    { name: "wait", arguments: { who: "leaving" } },
    { signal: controller.signal },
  );
  const stays = staying.callTool({ name: "wait", arguments: { who: "staying" } });
  const rejected = assert.rejects(left);
  await started.promise;
  const first = session.invoked.find(({ args }) => JSON.stringify(args).includes("leaving")) ?? assert.fail();

  controller.abort();
  await rejected;
  await untilAborted(first.options.signal);
  release.resolve();

  assert.deepEqual((await stays).content, [{ type: "text", text: "staying" }]);
  assert.deepEqual(ended, ["leaving"]);
});

test("R8 2026-07-28 a subscriber hears of changes on a real socket, and leaves its place when it goes", async (t) => {
  const session = createFakeAgentSession({ a: () => completed("x") });
  const served = await serve(t, session, { limits: { concurrentRequestsLimit: 3 } });
  for (let turn = 0; turn < 6; turn += 1) {
    const heard = Promise.withResolvers<readonly string[]>();
    const client = clientOf("2026-07-28", {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_error, tools) => heard.resolve((tools ?? []).map(({ name }) => name)),
        },
      },
    });
    await connect(t, { ...served, client }, "2026-07-28");

    session.change([fakeTool(`turn-${turn}`)]);

    assert.deepEqual(await heard.promise, [`turn-${turn}`]);
    await client.close();
  }
});
