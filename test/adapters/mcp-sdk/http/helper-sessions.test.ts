import assert from "node:assert/strict";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { inspect } from "node:util";

import { createHelperRunner } from "../../../../src/adapters/child-process/helper-runner.ts";
import { createFileProbe } from "../../../../src/adapters/files/file-probe.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import {
  createHeadersHelperAuthenticator,
  type HeadersHelperOptions,
} from "../../../../src/composition/flows/headers-helper-authenticator.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { refuse } from "../../../../src/domain/outcome.ts";
import { authRefusal } from "../../../kit/authenticators.ts";
import { childFixture } from "../../../kit/child-groups.ts";
import { startGuardedServer, type Guard } from "../../../kit/guarded-server.ts";
import { approvalOf, httpDefinition, loopbackAdapter, realEgress } from "../../../kit/http-carriers.ts";
import { tempFolder } from "../../../kit/temp-folder.ts";

const CANARY = "canary-helper-token";

/** A session with a server whose headers a real program prints: `Bearer canary-helper-token-N` at its run N. */
async function openWithHelper(
  t: TestContext,
  url: string,
  options: Partial<HeadersHelperOptions> & { readonly protocolVersion?: "2026-07-28" } = {},
) {
  const folder = realpathSync(await tempFolder(t));
  const log = join(folder, "runs");
  const helper = {
    command: realpathSync(process.execPath),
    args: [childFixture("headers-helper.mjs"), "count", log, CANARY],
  };
  const definition = httpDefinition({
    url,
    headersHelper: helper,
    headers: { authorization: "Bearer static-value" },
  });
  const authenticator = createHeadersHelperAuthenticator({
    definition,
    permission: async () => ({ allowedHelpers: [helper], workspaceTrusted: false }),
    folder,
    environment: new Map(),
    probe: createFileProbe(),
    runner: createHelperRunner({ clock: createSystemClock() }),
    ...options,
  });
  const adapter = loopbackAdapter({ egress: realEgress(t), authenticatorFor: () => authenticator });
  const admission = adapter.admit(definition, approvalOf(definition));
  assert.ok(admission.ok);
  const carrier = adapter.construct(admission.value);
  const opened = await openMcpSession({
    carrier,
    serverId: "docs",
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...(options.protocolVersion && { protocolVersion: options.protocolVersion }),
  });
  if (opened.ok) t.after(() => opened.value.close());
  const runs = (): number => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0);
  return { opened, carrier, authenticator, runs };
}

/** Lets one number of the helper's runs through, which a test changes. */
function gate(): { allowed: number; readonly guard: Guard } {
  const state = {
    allowed: 1,
    guard: (({ headers }, response) => {
      if (headers.authorization === `Bearer ${CANARY}-${state.allowed}`) return true;
      response.writeHead(401).end(CANARY);
      return false;
    }) satisfies Guard,
  };
  return state;
}

for (const selected of [{}, { protocolVersion: "2026-07-28" }] as const) {
  const era = "protocolVersion" in selected ? "modern" : "legacy";

  test(`U4 a real helper runs once for a whole ${era} connection, and beats the static header`, async (t) => {
    const server = await startGuardedServer(t, gate().guard);
    const { opened, runs } = await openWithHelper(t, server.url, selected);
    assert.ok(opened.ok);
    for (const text of ["1", "2"]) assert.equal((await opened.value.callTool("echo", { text })).ok, true);
    assert.equal(runs(), 1);
    assert.deepEqual(
      new Set(server.seen.map(({ authorization }) => authorization)),
      new Set([`Bearer ${CANARY}-1`]),
    );
  });

  test(`U4 eight ${era} calls that are refused at once cost one fresh run, and each one retry`, async (t) => {
    const door = gate();
    // Nobody is answered before all eight have arrived with the headers that are no longer good.
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    const server = await startGuardedServer(t, async (request, response) => {
      if (
        door.allowed === 2 &&
        request.headers.authorization === `Bearer ${CANARY}-1` &&
        request.method === "POST"
      ) {
        waiting += 1;
        if (waiting === 8) arrived.resolve();
        await arrived.promise;
      }
      return door.guard(request, response);
    });
    const { opened, runs } = await openWithHelper(t, server.url, selected);
    assert.ok(opened.ok);
    const before = server.seen.length;
    door.allowed = 2;
    const calls = Array.from({ length: 8 }, (_, index) =>
      opened.value.callTool("echo", { text: String(index) }),
    );
    const answers = await Promise.all(calls);
    assert.equal(
      answers.every(({ ok }) => ok),
      true,
    );
    assert.equal(runs(), 2);
    const posts = server.seen.slice(before).filter(({ method }) => method === "POST");
    assert.deepEqual(
      [1, 2].map(
        (run) => posts.filter(({ authorization }) => authorization === `Bearer ${CANARY}-${run}`).length,
      ),
      [8, 8],
    );
  });

  test(`U2 a server that refuses the fresh headers too ends the ${era} connect typed, after two requests`, async (t) => {
    const door = gate();
    door.allowed = 99;
    const server = await startGuardedServer(t, door.guard);
    const { opened, runs } = await openWithHelper(t, server.url, selected);
    assert.deepEqual(opened, { ok: false, refusal: { refusal: authRefusal("rejected", { status: 401 }) } });
    assert.equal(runs(), 2);
    assert.equal(server.seen.length, 2);
  });
}

test("U3 with a helper that is not allowed the server is never contacted, and nothing is started", async (t) => {
  const server = await startGuardedServer(t, () => true);
  const { opened, runs } = await openWithHelper(t, server.url, {
    permission: async () => ({ allowedHelpers: [], workspaceTrusted: true }),
  });
  assert.deepEqual(opened, refuse({ refusal: authRefusal("helper-not-allowed") }));
  assert.equal(runs(), 0);
  assert.deepEqual(server.seen, []);
});

test("U1 nothing that is printed or thrown shows what a helper printed", async (t) => {
  const door = gate();
  const server = await startGuardedServer(t, door.guard);
  const { opened, carrier, authenticator } = await openWithHelper(t, server.url);
  assert.ok(opened.ok);
  door.allowed = 99;
  const called = await opened.value.callTool("echo", { text: "x" });
  assert.equal(called.ok, false);
  const authorized = await authenticator.authorize({ signal: new AbortController().signal });
  const shown = inspect([opened, carrier, authenticator, authorized, called], {
    depth: 12,
    showHidden: true,
  });
  assert.doesNotMatch(shown + JSON.stringify([authorized, called]), new RegExp(CANARY));
});
