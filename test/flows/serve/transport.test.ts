import assert from "node:assert/strict";
import { test } from "node:test";

import { createServedTransport, START_LIMIT_MS } from "../../../src/composition/flows/serve-transport.ts";
import { createServedAgent } from "../../../src/composition/flows/serve.ts";
import type { AgentConnection, ConnectionClose } from "../../../src/ports/agent-connection.ts";
import type { AgentSession } from "../../../src/ports/agent-session.ts";
import {
  completed,
  createCountingRandom,
  createFakeAgentSession,
  fakeTool,
} from "../../kit/fake-agent-session.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

/** Connections that only say what became of them. */
function world() {
  const clock = new FakeClock();
  const opened: { served: number; end: (why: ConnectionClose) => void }[] = [];
  const open = (): AgentConnection<string> => {
    const { promise: closed, resolve } = Promise.withResolvers<ConnectionClose>();
    const state = { served: 0, end: resolve };
    opened.push(state);
    return {
      serve: () => {
        state.served += 1;
      },
      server: () => (state.served > 0 ? "server" : undefined),
      closed,
      stop: () => {
        resolve("stopped");
        return Promise.resolve();
      },
    };
  };
  const transport = createServedTransport({
    load: () => Promise.resolve(open),
    agentOf: (session) => createServedAgent({ session, clock, random: createCountingRandom() }),
    clock,
  });
  return { clock, opened, transport };
}

const session = createFakeAgentSession({ a: () => completed("x") });

function slow(): AgentSession & { readonly aborted: () => boolean } {
  let seen: AbortSignal | undefined;
  return {
    ...session,
    tools: ({ signal }) => {
      seen = signal;
      return new Promise(() => undefined);
    },
    aborted: () => seen?.aborted === true,
  };
}

test("R3 a session is attached first, then started, then served", async () => {
  const { transport, opened } = world();
  assert.equal(transport.getServer(), undefined);

  transport.attach(session);
  await transport.start();

  assert.deepEqual(
    opened.map(({ served }) => served),
    [1],
  );
  assert.equal(transport.getServer(), "server");
});

test("R3 nothing starts without a session, and nothing is opened", async () => {
  const { transport, opened } = world();

  await assert.rejects(transport.start(), { name: "TypeError", code: "not-attached" });

  assert.deepEqual(opened, []);
});

test("R3 a second start is refused, during the first and after it, and opens nothing", async () => {
  const { transport, opened } = world();
  transport.attach(session);
  const first = transport.start();

  await assert.rejects(transport.start(), { code: "already-started" });
  assert.throws(() => transport.attach(session), { code: "already-started" });
  await first;
  await assert.rejects(transport.start(), { code: "already-started" });

  assert.equal(opened.length, 1);
});

test("R3 after a stop, attach comes first again", async () => {
  const { transport, opened } = world();
  transport.attach(session);
  await transport.start();
  await transport.stop();
  await transport.stop();
  assert.equal(transport.getServer(), undefined);

  await assert.rejects(transport.start(), { code: "not-attached" });
  transport.attach(session);
  await transport.start();

  assert.equal(opened.length, 2);
});

test("R3 a stop between attach and start takes the session away", async () => {
  const { transport } = world();
  transport.attach(session);
  await transport.stop();

  await assert.rejects(transport.start(), { code: "not-attached" });
});

test("R3 a start ends with a stop, at any moment of it, and serves nothing", async () => {
  for (const turns of [0, 1, 5]) {
    const { transport, opened, clock } = world();
    const attached = slow();
    transport.attach(attached);
    const start = transport.start();
    const refused = assert.rejects(start, { name: "McpServeError", code: "stopped" });
    for (let at = 0; at < turns; at += 1) await new Promise(setImmediate);

    await transport.stop();
    await refused;

    assert.ok(opened.every(({ served }) => served === 0));
    assert.equal(clock.pending, 0);
    assert.equal(opened.length === 0 || attached.aborted(), true);
    await assert.rejects(transport.start(), { code: "not-attached" });
  }
});

for (const why of ["input-ended", "output-failed", "frame-limit"] as const) {
  test(`R3 a start ends with ${why}`, async () => {
    const { transport, opened, clock } = world();
    const attached = slow();
    transport.attach(attached);
    const refused = assert.rejects(transport.start(), { code: why });
    await new Promise(setImmediate);

    opened[0]?.end(why);
    await refused;

    assert.equal(opened[0]?.served, 0);
    assert.equal(attached.aborted(), true);
    assert.equal(clock.pending, 0);
  });

  test(`R3 a served connection that is over with ${why} says so, and can be followed by another`, async () => {
    const { transport, opened } = world();
    transport.attach(session);
    await transport.start();
    const closed = transport.waitForClose();

    opened[0]?.end(why);

    assert.equal(await closed, why);
    assert.equal(await transport.waitForClose(), why);
    assert.equal(transport.getServer(), undefined);
    transport.attach(session);
    await transport.start();
  });
}

test("R3 a start takes 15 s at most", async () => {
  const { transport, opened, clock } = world();
  const attached = slow();
  transport.attach(attached);
  let isOver = false;
  const refused = assert.rejects(transport.start(), { code: "start-timeout" }).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);

  await clock.advance(START_LIMIT_MS - 1);
  assert.equal(isOver, false);
  await clock.advance(1);
  await refused;

  assert.equal(opened[0]?.served, 0);
  assert.equal(attached.aborted(), true);
  assert.equal(clock.pending, 0);
});

test("R1 tools that cannot be served fail the start, and nothing is served", async () => {
  const { transport, opened } = world();
  transport.attach(createFakeAgentSession({}, { listed: [fakeTool("a"), fakeTool("a")] }));

  await assert.rejects(transport.start(), {
    code: "catalog",
    refusal: { kind: "served-catalog", reason: "duplicate-tool" },
  });

  assert.equal(opened[0]?.served, 0);
  assert.equal(await transport.waitForClose(), "stopped");
});

test("R3 waiting for the close of a start that still loads waits for its connection", async () => {
  const { transport, opened } = world();
  transport.attach(session);
  const start = transport.start();
  const closed = transport.waitForClose();
  await start;

  opened[0]?.end("input-ended");

  assert.equal(await closed, "input-ended");
});

test("R3 waiting for the close of nothing ends at once", async () => {
  assert.equal(await world().transport.waitForClose(), "stopped");
});
