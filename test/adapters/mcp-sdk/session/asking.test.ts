/** Forms of real servers, in both eras and over both carriers. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Carrier } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import type { McpSession } from "../../../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import type { FormAnswer } from "../../../../src/domain/elicitation/form.ts";
import type { Ask, AskPrompt } from "../../../../src/ports/ask.ts";
import { createAskingServer } from "../../../kit/asking-server.ts";
import {
  fixture,
  httpCarrier,
  officialServer,
  scriptCarrier,
  startEverything,
  startSdkServer,
} from "../../../kit/sdk-servers.ts";

async function open(
  t: TestContext,
  carrier: Carrier,
  options: { readonly modern: boolean; readonly elicitation?: boolean },
): Promise<McpSession> {
  const opened = await openMcpSession({
    carrier,
    serverId: "asking",
    ...(options.modern && { protocolVersion: "2026-07-28" }),
    clock: createSystemClock(),
    random: createSystemRandom(),
    elicitation: options.elicitation ?? true,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  t.after(() => opened.value.close());
  return opened.value;
}

/** Answers with these, one after another, and remembers what was asked. */
function answering(...answers: readonly FormAnswer[]): { readonly ask: Ask; readonly prompts: AskPrompt[] } {
  const prompts: AskPrompt[] = [];
  const left = [...answers];
  return { prompts, ask: async (prompt) => (prompts.push(prompt), left.shift() ?? { action: "cancel" }) };
}

function named(name: string): FormAnswer {
  return { action: "accept", content: { name } };
}

async function textOf(call: ReturnType<McpSession["callTool"]>): Promise<string> {
  const answer = await call;
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  return JSON.stringify(answer.value["content"]);
}

const PLACES: readonly (readonly [
  where: string,
  modern: boolean,
  connect: (t: TestContext) => Promise<Carrier>,
])[] = [
  ["the older era over stdio", false, (t) => scriptCarrier(t, fixture("asking-server.ts"))],
  ["2026-07-28 over stdio", true, (t) => scriptCarrier(t, fixture("asking-server.ts"))],
  ["2026-07-28 over HTTP", true, async (t) => httpCarrier(t, await startSdkServer(t, createAskingServer))],
];

for (const [where, modern, connect] of PLACES) {
  test(`C7 a form of a real server is answered in ${where}, and one of a page is not`, async (t) => {
    const session = await open(t, await connect(t), { modern });
    const { ask, prompts } = answering(named("Ada"), { action: "decline" }, named("Bob"));

    assert.match(await textOf(session.callTool("ask", {}, { ask })), /Ada/);
    assert.match(await textOf(session.callTool("ask-twice", {}, { ask })), /declin.*Bob/);
    assert.deepEqual(prompts[0], {
      serverId: "asking",
      form: {
        message: "Who are you?",
        fields: [{ type: "text", name: "name", required: true, title: "Name", minLength: 1 }],
      },
    });

    const page = await session.callTool("open-page", {}, { ask });
    // In the older era the SDK does not even ask: pages were not declared.
    assert.ok(modern ? !page.ok : page.ok && page.value["isError"] === true);
    assert.equal(prompts.length, 3);
    assert.match(await textOf(session.callTool("plain", {}, { ask })), /plain/);
  });

  test(`C6 a real server is told that there is nobody to ask in ${where}`, async (t) => {
    const session = await open(t, await connect(t), { modern, elicitation: false });
    const { ask, prompts } = answering(named("Ada"));

    const answer = await session.callTool("ask", {}, { ask });

    assert.ok(!answer.ok || answer.value["isError"] === true);
    assert.deepEqual(prompts, []);
    assert.match(await textOf(session.callTool("plain", {})), /plain/);
  });
}

const EVERYTHING: readonly (readonly [string, (t: TestContext) => Promise<Carrier>])[] = [
  ["stdio", (t) => scriptCarrier(t, officialServer("everything"), "stdio")],
  ["HTTP", async (t) => httpCarrier(t, await startEverything(t))],
];

for (const [transport, connect] of EVERYTHING) {
  test(`C7 the form of the official everything server is answered over ${transport}, every kind of field`, async (t) => {
    const session = await open(t, await connect(t), { modern: false });
    const content = {
      name: "Ada",
      email: "ada@example.com",
      birthdate: "1815-12-10",
      integer: 7,
      untitledSingleSelectEnum: "Joey",
      titledMultipleSelectEnum: ["fish-2"],
      legacyTitledEnum: "pet-3",
    };
    const { ask, prompts } = answering({ action: "accept", content });

    const text = await textOf(session.callTool("trigger-elicitation-request", {}, { ask }));

    assert.match(text, /Ada.*ada@example\.com.*1815-12-10/);
    assert.deepEqual(
      prompts[0]?.form.fields.map(({ type }) => type),
      [
        "text",
        "boolean",
        "text",
        "text",
        "text",
        "text",
        "integer",
        "number",
        "choice",
        "choices",
        "choice",
        "choices",
        "choice",
      ],
    );
  });
}
