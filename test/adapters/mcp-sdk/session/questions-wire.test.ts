/** Questions of the older era over a real HTTP connection: which stream they came on says whose they are. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";

import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import type { McpSession } from "../../../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import type { Ask } from "../../../../src/ports/ask.ts";
import {
  event,
  legacyScript,
  openStream,
  sendStatus,
  startScriptedServer,
  type ScriptedServer,
  type SeenRequest,
} from "../../../kit/http-mcp-server.ts";
import { question, YES } from "../../../kit/questions.ts";
import { httpCarrier } from "../../../kit/sdk-servers.ts";

interface Conversation {
  readonly session: McpSession;
  readonly server: ScriptedServer;
  /** The open response stream of the tool call of this name. */
  readonly streams: Map<string, { readonly id: string | number; readonly response: ServerResponse }>;
  /** The server's own stream. */
  readonly push: () => ServerResponse | undefined;
}

/** A server that leaves every tool call and list open on a stream of its own. */
async function converse(t: TestContext): Promise<Conversation> {
  const streams: Conversation["streams"] = new Map();
  let push: ServerResponse | undefined;
  const server = await startScriptedServer(
    t,
    legacyScript({
      script: ({ body }, response) => {
        if (body?.method === undefined) return sendStatus(response, 202);
        if (body.method === "notifications/cancelled") return sendStatus(response, 202);
        openStream(response);
        const name = body.params?.["name"];
        streams.set(typeof name === "string" ? name : body.method, { id: body.id ?? "", response });
      },
      onGet: (_request, response) => {
        openStream(response);
        push = response;
      },
    }),
  );
  const opened = await openMcpSession({
    carrier: httpCarrier(t, server.url),
    serverId: "s",
    clock: createSystemClock(),
    random: createSystemRandom(),
    elicitation: true,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  t.after(() => opened.value.close());
  await server.seen(1, ({ method }) => method === "GET");
  return { session: opened.value, server, streams, push: () => push };
}

function asker(): { readonly ask: Ask; readonly times: () => number } {
  let times = 0;
  return {
    times: () => times,
    ask: async () => {
      times += 1;
      return YES;
    },
  };
}

const isReply = ({ method, body }: SeenRequest): boolean => method === "POST" && body?.method === undefined;
const isCall = ({ body }: SeenRequest): boolean => body?.method === "tools/call";

function end({ streams }: Conversation, name: string): void {
  const stream = streams.get(name);
  stream?.response.end(event({ jsonrpc: "2.0", id: stream.id, result: { content: [] } }));
}

test("C7 over HTTP a question is put to the call on whose stream it came, while another runs", async (t) => {
  const talk = await converse(t);
  const [first, second] = [asker(), asker()];
  const calls = [
    talk.session.callTool("first", {}, { ask: first.ask }),
    talk.session.callTool("second", {}, { ask: second.ask }),
  ];
  await talk.server.seen(2, isCall);

  talk.streams.get("second")?.response.write(event(question("q")));
  const [reply] = await talk.server.seen(1, isReply);
  end(talk, "first");
  end(talk, "second");

  assert.deepEqual(reply?.body, { jsonrpc: "2.0", id: "q", result: YES });
  assert.deepEqual([first.times(), second.times()], [0, 1]);
  assert.deepEqual(
    (await Promise.all(calls)).map(({ ok }) => ok),
    [true, true],
  );
});

test("C7 over HTTP a question on the server's own stream is the only call's, and nobody's while two run", async (t) => {
  const talk = await converse(t);
  const asked = asker();
  const calls = [talk.session.callTool("first", {}, { ask: asked.ask })];
  await talk.server.seen(1, isCall);
  talk.push()?.write(event(question("alone")));
  await talk.server.seen(1, isReply);
  calls.push(talk.session.callTool("second", {}, { ask: asked.ask }));
  await talk.server.seen(2, isCall);

  talk.push()?.write(event(question("two")));
  const replies = await talk.server.seen(2, isReply);
  end(talk, "first");
  end(talk, "second");
  await Promise.all(calls);

  assert.deepEqual(
    replies.map(({ body }) => body),
    [
      { jsonrpc: "2.0", id: "alone", result: YES },
      { jsonrpc: "2.0", id: "two", result: { action: "cancel" } },
    ],
  );
  assert.equal(asked.times(), 1);
});

test("C7 over HTTP a question on the stream of a list is put to nobody, though one call could be asked", async (t) => {
  const talk = await converse(t);
  const asked = asker();
  const call = talk.session.callTool("first", {}, { ask: asked.ask });
  const listing = talk.session.discover({ kinds: ["tools"] });
  await talk.server.seen(1, ({ body }) => body?.method === "tools/list");
  await talk.server.seen(1, isCall);

  talk.streams.get("tools/list")?.response.write(event(question("q")));
  const [reply] = await talk.server.seen(1, isReply);
  const list = talk.streams.get("tools/list");
  list?.response.end(event({ jsonrpc: "2.0", id: list.id, result: { tools: [] } }));
  end(talk, "first");
  await Promise.all([call, listing]);

  assert.equal(Object(reply?.body).error.code, -32_601);
  assert.equal(asked.times(), 0);
});
