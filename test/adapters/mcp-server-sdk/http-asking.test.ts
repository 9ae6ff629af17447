import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Client } from "@modelcontextprotocol/client";

import type { AgentRequestHandler } from "../../../src/composition/serve-agent.ts";
import type { AgentPrompt } from "../../../src/ports/agent-session.ts";
import { completed, createFakeAgentSession, type FakeAgentSession } from "../../kit/fake-agent-session.ts";
import { clientOf, connectOverHttp, handlerOf } from "../../kit/served-clients.ts";

const NEVER = new AbortController().signal;
const PERMISSION: AgentPrompt = { kind: "permission", toolName: "rm", description: "Removes /tmp/x" };

/** `rm` runs only when it is allowed to. */
function guarded(): FakeAgentSession {
  return createFakeAgentSession({
    rm: async (_args, { ask }) => {
      const answer = await ask?.(PERMISSION, { signal: NEVER });
      return answer?.kind === "allow-once" ? completed("removed") : { status: "permission-required" };
    },
  });
}

type Answer = { readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, string> };

function asked(answer: Answer): { readonly client: Client; readonly forms: string[] } {
  const forms: string[] = [];
  const client = clientOf("2026-07-28", { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    forms.push(params.message);
    return { ...answer };
  });
  return { client, forms };
}

async function textOf(client: Client, name = "rm"): Promise<string> {
  const { content } = await client.callTool({ name });
  return JSON.stringify(content);
}

async function connected(t: TestContext, answer: Answer, { askClient = true } = {}) {
  const { client, forms } = asked(answer);
  const session = guarded();
  await connectOverHttp(t, handlerOf(t, session, { askClient }), { era: "2026-07-28", client });
  return { client, forms, session };
}

interface RawAnswer {
  readonly result?: { readonly requestState?: string; readonly resultType?: string };
  readonly error?: unknown;
}

/** One request of 2026-07-28 as no client would write it. */
async function rawCall(
  handler: AgentRequestHandler,
  {
    caller = "owner",
    params = {},
    capabilities = { elicitation: { form: {} } },
  }: { readonly caller?: string; readonly params?: object; readonly capabilities?: object },
): Promise<RawAnswer> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const request = new Request("http://served.test/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "rm",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "rm", arguments: {}, ...params, _meta: meta },
    }),
  });
  return JSON.parse(await (await handler.fetch(request, { caller, signal: NEVER })).text());
}

test("R10 a client that declared forms is asked, and a yes lets the tool run", async (t) => {
  const { client, forms, session } = await connected(t, {
    action: "accept",
    content: { decision: "allow-once" },
  });

  assert.match(await textOf(client), /removed/);
  assert.deepEqual(forms, ['May the tool "rm" run this once?\nRemoves /tmp/x']);
  assert.equal(session.invoked.length, 1);
});

for (const answer of [
  { action: "decline" },
  { action: "cancel" },
  { action: "accept", content: { decision: "deny" } },
] as const) {
  test(`R10 ${JSON.stringify(answer)} leaves the permission error as it was`, async (t) => {
    const { client } = await connected(t, answer);

    assert.match(await textOf(client), /permission-required/);
  });
}

test("R10 nothing is remembered: the next call asks again", async (t) => {
  const { client, forms } = await connected(t, { action: "accept", content: { decision: "allow-once" } });

  await textOf(client);
  await textOf(client);

  assert.equal(forms.length, 2);
});

test("R10 without askClient nobody is asked", async (t) => {
  const { client, forms } = await connected(
    t,
    { action: "accept", content: { decision: "allow-once" } },
    { askClient: false },
  );

  assert.match(await textOf(client), /permission-required/);
  assert.deepEqual(forms, []);
});

for (const [what, era, capabilities] of [
  ["that declared no forms", "2026-07-28", {}],
  ["that declared pages alone", "2026-07-28", { elicitation: { url: {} } }],
  ["of an earlier revision, over HTTP", "2025-11-25", { elicitation: { form: {} } }],
] as const) {
  test(`R10 a client ${what} is not asked`, async (t) => {
    const client = clientOf(era, { capabilities });
    await connectOverHttp(t, handlerOf(t, guarded(), { askClient: true }), { era, client });

    assert.match(await textOf(client), /permission-required/);
  });
}

test("R10 a client that declared elicitation without a mode is asked, as forms were its only mode once", async (t) => {
  const handler = handlerOf(t, guarded(), { askClient: true });

  const { result } = await rawCall(handler, { capabilities: { elicitation: {} } });

  assert.match(JSON.stringify(result), /"input_required"/);
});

test("R10 a client sees the prompts of its own running call alone", async (t) => {
  const { client: one, forms: seenByOne } = asked({ action: "accept", content: { decision: "allow-once" } });
  const { client: two, forms: seenByTwo } = asked({ action: "decline" });
  const session = createFakeAgentSession({
    rm: async ({ path }, { ask }) => {
      const answer = await ask?.({ ...PERMISSION, description: String(path) }, { signal: NEVER });
      return completed(`${String(path)} ${answer?.kind}`);
    },
  });
  const handler = handlerOf(t, session, { askClient: true });
  await connectOverHttp(t, handler, { era: "2026-07-28", client: one, caller: "one" });
  await connectOverHttp(t, handler, { era: "2026-07-28", client: two, caller: "two" });

  const results = await Promise.all(
    [one, two].map((client, at) => client.callTool({ name: "rm", arguments: { path: `/${at}` } })),
  );

  assert.match(JSON.stringify(results[0]?.content), /\/0 allow-once/);
  assert.match(JSON.stringify(results[1]?.content), /\/1 deny/);
  assert.deepEqual([seenByOne.length, seenByTwo.length], [1, 1]);
  assert.match(seenByOne.join(), /\/0/);
  assert.match(seenByTwo.join(), /\/1/);
});

test("R10 a form of somebody behind the session reaches the client under its name, and its answer comes back", async (t) => {
  let answer: unknown;
  const session = createFakeAgentSession({
    rm: async (_args, { ask }) => {
      const fields = [{ name: "city", type: "text", required: true, maxLength: 20 }] as const;
      answer = await ask?.(
        { kind: "form", from: "weather", form: { message: "Where?", fields } },
        { signal: NEVER },
      );
      return completed("x");
    },
  });
  const { client, forms } = asked({ action: "accept", content: { city: "Bern" } });
  await connectOverHttp(t, handlerOf(t, session, { askClient: true }), { era: "2026-07-28", client });

  await textOf(client);

  assert.deepEqual(forms, ["weather asks: Where?"]);
  assert.deepEqual(answer, { kind: "form", answer: { action: "accept", content: { city: "Bern" } } });
});

test("R10 a state of another caller is refused without a word of why", async (t) => {
  const session = guarded();
  const handler = handlerOf(t, session, { askClient: true });
  const raw = (caller: string, params: object): Promise<RawAnswer> => rawCall(handler, { caller, params });
  const { result } = await raw("owner", {});
  assert.equal(result?.resultType, "input_required");
  const inputResponses = { ask: { action: "accept", content: { decision: "allow-once" } } };
  const requestState = result?.requestState;

  for (const [caller, params] of [
    ["thief", { requestState, inputResponses }],
    ["owner", { requestState, inputResponses, arguments: { path: "/" } }],
    ["owner", { requestState: "made-up", inputResponses }],
  ] as const) {
    const { error } = await raw(caller, params);
    assert.deepEqual(error, {
      code: -32_602,
      message: "Invalid or expired requestState",
      data: { reason: "invalid_request_state" },
    });
  }
  assert.match(JSON.stringify(await raw("owner", { requestState, inputResponses })), /removed/);
  assert.equal(session.invoked.length, 1);
});
