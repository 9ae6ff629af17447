import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { inspect } from "node:util";

import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import type { Authenticator } from "../../../../src/ports/authenticator.ts";
import { authorization, authRefusal, bearer, scriptedAuthenticator } from "../../../kit/authenticators.ts";
import { accepting, startGuardedServer } from "../../../kit/guarded-server.ts";
import { openCarrier, realEgress } from "../../../kit/http-carriers.ts";
import { legacyScript, sendJson, startScriptedServer } from "../../../kit/http-mcp-server.ts";

const ERAS = [
  { era: "legacy", selected: {} },
  { era: "modern", selected: { protocolVersion: "2026-07-28" } },
  { era: "modern", selected: { protocolVersion: "auto" } },
] as const;

async function openSession(
  t: TestContext,
  url: string,
  authenticator: Authenticator,
  selected: { readonly protocolVersion?: "2026-07-28" | "auto" } = {},
) {
  const { carrier } = await openCarrier(t, url, {
    egress: realEgress(t),
    parts: { oauth: {} },
    authenticatorFor: () => authenticator,
  });
  const opened = await openMcpSession({
    carrier,
    serverId: "docs",
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...selected,
  });
  if (opened.ok) t.after(() => opened.value.close());
  return { opened, carrier };
}

for (const { era, selected } of ERAS) {
  const name = `${era} era${"protocolVersion" in selected ? ` by ${selected.protocolVersion}` : ""}`;

  test(`U1 a guarded server is listed, called and left in the ${name}, every request authorized`, async (t) => {
    const server = await startGuardedServer(t, accepting("Bearer good-token"));
    const { opened } = await openSession(
      t,
      server.url,
      scriptedAuthenticator([bearer("good-token")]),
      selected,
    );
    assert.ok(opened.ok);
    assert.equal(opened.value.server.era, era);
    const called = await opened.value.callTool("echo", { text: "hello" });
    assert.ok(called.ok);
    await opened.value.close();
    assert.equal(
      server.seen.every(({ authorization }) => authorization === "Bearer good-token"),
      true,
    );
  });

  test(`U2 a token that is refused at connect is replaced once in the ${name}`, async (t) => {
    const server = await startGuardedServer(t, accepting("Bearer good-token"));
    const authenticator = scriptedAuthenticator([bearer("bad-token"), bearer("good-token")]);
    const { opened } = await openSession(t, server.url, authenticator, selected);
    assert.equal(opened.ok, true);
    assert.equal(authenticator.rejections.length, 1);
    assert.equal(server.seen.filter(({ authorization }) => authorization === "Bearer bad-token").length, 1);
  });

  test(`C2 a sign-in that is needed ends a connect of the ${name}: no other era is tried`, async (t) => {
    const server = await startGuardedServer(t, accepting("Bearer good-token"));
    const authenticator = scriptedAuthenticator([bearer("bad-token"), bearer("worse-token")]);
    const { opened } = await openSession(t, server.url, authenticator, selected);
    assert.deepEqual(opened, { ok: false, refusal: { refusal: authRefusal("rejected", { status: 401 }) } });
    assert.deepEqual(
      server.seen.map(({ authorization }) => authorization),
      ["Bearer bad-token", "Bearer worse-token"],
    );
  });

  test(`U2 nothing is sent by a connect of the ${name} when there is no authorization`, async (t) => {
    const server = await startGuardedServer(t, () => true);
    const refusal = authRefusal("sign-in-required");
    const { opened } = await openSession(t, server.url, scriptedAuthenticator([refusal]), selected);
    assert.deepEqual(opened, { ok: false, refusal: { refusal } });
    assert.deepEqual(server.seen, []);
  });
}

test("U1 no other server sees the authorization of one", async (t) => {
  const one = await startGuardedServer(t, accepting("Bearer good-token"));
  const other = await startGuardedServer(t, () => true);
  const first = await openSession(t, one.url, scriptedAuthenticator([bearer("good-token")]));
  const second = await openSession(t, other.url, scriptedAuthenticator([bearer("others-token")]));
  assert.ok(first.opened.ok && second.opened.ok);
  await Promise.all([
    first.opened.value.callTool("echo", { text: "1" }),
    second.opened.value.callTool("echo", { text: "2" }),
  ]);
  assert.deepEqual(new Set(one.seen.map((seen) => seen.authorization)), new Set(["Bearer good-token"]));
  assert.deepEqual(new Set(other.seen.map((seen) => seen.authorization)), new Set(["Bearer others-token"]));
});

test("U1 a server that says the authorization back is masked, old and new alike; nothing printed shows it", async (t) => {
  const canaries = ["canary-old-token", "canary-new-token"];
  let accepted = canaries[0];
  const server = await startScriptedServer(
    t,
    legacyScript({
      script: ({ body, headers }, response) => {
        if (headers.authorization !== `Bearer ${accepted}`) {
          response.writeHead(401, {
            "www-authenticate": `Bearer scope="ok ${canaries[0]}", resource_metadata="https://x.example/${canaries[0]}"`,
          });
          response.end(canaries[0]);
          return;
        }
        accepted = canaries[1];
        const message = `You sent ${headers.authorization}, before that ${canaries[0]}.`;
        sendJson(response, { jsonrpc: "2.0", id: body?.id, error: { code: -32_000, message } }, 200);
      },
    }),
  );
  const authenticator = scriptedAuthenticator(
    canaries.map((token, index) => authorization(`g${index}`, { authorization: `Bearer ${token}` })),
  );
  const { opened, carrier } = await openSession(t, server.url, authenticator);
  assert.ok(opened.ok);
  const failures = [];
  for (const text of ["1", "2"]) {
    const called = await opened.value.callTool("echo", { text });
    failures.push(called.ok ? undefined : called.refusal);
  }
  assert.equal(authenticator.rejections.length, 1);
  assert.match(JSON.stringify(failures), /You sent/);
  assert.deepEqual(carrier.challenge, { resourceMetadata: undefined, scopes: ["ok"], error: undefined });
  const shown = [carrier, opened.value, authenticator, failures].map((value) =>
    inspect(value, { depth: 12, showHidden: true }),
  );
  assert.doesNotMatch(shown.join("\n") + JSON.stringify(failures), /canary-(old|new)/);
});
