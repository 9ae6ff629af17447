import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { approveAll, hostFolders, hostIn } from "../../kit/hosts.ts";
import { ERAS, firstText, httpGateway, loopbackGateway, type Era } from "../../kit/gateways.ts";
import { approve, servingPlace, stdioGateway } from "../../kit/gateways.ts";
import type { CommandPlace } from "../../kit/commands.ts";
import { fixture } from "../../kit/sdk-servers.ts";
import { createGatewaySession } from "../../../src/composition/node.ts";

const ASKING = { asking: { command: process.execPath, args: [fixture("caller-server.ts")] } };

async function askingPlace(t: TestContext): Promise<CommandPlace> {
  const place = await servingPlace(t, ASKING);
  await approve(place, "asking");
  return place;
}

test("C6b R11 of a caller's _meta nothing reserved and no trace reaches a server, and the rest does", async (t) => {
  const folders = await hostFolders(t, ASKING);
  const host = await hostIn(t, folders);
  await approveAll(host, "asking");
  const session = createGatewaySession(host);
  t.after(() => session.close());
  const meta = {
    "io.modelcontextprotocol/clientInfo": { name: "spoof", version: "1" },
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    baggage: "user=alice",
    "example.com/run": 7,
  };
  const outcome = await session.invoke("asking__meta", {}, { signal: t.signal, meta });

  assert.ok(outcome.status === "completed");
  const { progressToken: _, ...sent } = JSON.parse(firstText({ content: outcome.content }));
  assert.deepEqual(sent, { "example.com/run": 7 });
});

const FORMS = { capabilities: { elicitation: { form: {} } } };

/** Answers forms with a name, and remembers what it was asked. */
function named(name: string): {
  readonly asked: string[];
  readonly answer: (request: { readonly params: { readonly message: string } }) => {
    action: "accept";
    content: { name: string };
  };
} {
  const asked: string[] = [];
  return {
    asked,
    answer: ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { name } };
    },
  };
}

for (const era of ERAS) {
  test(`R10 R11 over stdio a server's form is put to the ${era} client whose call it is`, async (t) => {
    const gateway = await stdioGateway(await askingPlace(t), { era, options: FORMS });
    const alice = named("alice");
    gateway.client.setRequestHandler("elicitation/create", alice.answer);

    assert.deepEqual(JSON.parse(await gateway.text("asking__ask", {})), {
      action: "accept",
      content: { name: "alice" },
    });
    assert.deepEqual(alice.asked, ["asking asks: Your name?"]);
  });
}

test("R10 R11 over HTTP each client is asked for its own call, and no other's", async (t) => {
  const { url, token } = await loopbackGateway(await askingPlace(t));
  const connect = (era: Era) => httpGateway(t, { url, token, era }, FORMS);
  const [one, other, silent] = await Promise.all([connect("modern"), connect("modern"), connect("legacy")]);
  const [alice, bob, nobody] = [named("alice"), named("bob"), named("nobody")];
  one.client.setRequestHandler("elicitation/create", alice.answer);
  other.client.setRequestHandler("elicitation/create", bob.answer);
  silent.client.setRequestHandler("elicitation/create", nobody.answer);

  // One after another: a legacy server over stdio does not say which of two calls it asks for (0017).
  for (const [gateway, name] of [
    [one, "alice"],
    [other, "bob"],
  ] as const) {
    assert.deepEqual(JSON.parse(await gateway.text("asking__ask", {})), {
      action: "accept",
      content: { name },
    });
  }
  // Stateless HTTP of the older era has no way to ask.
  const result = await silent.client.callTool({ name: "asking__ask", arguments: {} });
  assert.doesNotMatch(firstText(result), /accept/);
  assert.deepEqual([alice.asked.length, bob.asked.length, nobody.asked.length], [1, 1, 0]);
});
