import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

import { createRedirectReceiver } from "../../../src/adapters/node-http/redirect-receiver.ts";
import type { OpenRedirect } from "../../../src/ports/redirect-receiver.ts";
import { valueOf } from "../../kit/activation.ts";

interface Listener {
  readonly open: OpenRedirect;
  readonly port: number;
  readonly controller: AbortController;
}

async function listener(t: TestContext, port?: number): Promise<Listener> {
  const controller = new AbortController();
  const { signal } = controller;
  const opened = await createRedirectReceiver().open({ serverId: "one", port, signal });
  const open = valueOf(opened);
  t.after(() => open.close());
  return { open, port: Number(new URL(open.redirectUri).port), controller };
}

/** Sends bytes as they are, and answers all that comes back: no client's idea of a request is in between. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(bytes);
  return text(socket);
}

function head(
  port: number,
  { method = "GET", target = "/callback?code=c&state=s", lines = [""] } = {},
): string {
  const host = `Host: 127.0.0.1:${port}`;
  return [`${method} ${target} HTTP/1.1`, host, ...lines.filter((line) => line !== ""), "", ""].join("\r\n");
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<false>((done) => setImmediate(() => done(false)))]);

test("U7 the redirect is handed over as it came, and the page waits for what became of it", async (t) => {
  const { open, port } = await listener(t);
  const answer = sendRaw(port, head(port, { target: "/callback?code=a%20b&state=s&iss=https%3A%2F%2Fx" }));

  const url = await open.received;
  const answeredEarly = await isSettled(answer);
  await open.close("signed-in");

  assert.equal(url, `http://127.0.0.1:${port}/callback?code=a%20b&state=s&iss=https%3A%2F%2Fx`);
  assert.equal(open.redirectUri, `http://127.0.0.1:${port}/callback`);
  assert.equal(answeredEarly, false);
  assert.match(await answer, /You are signed in/);
});

test("U7 the page is never cached, loads nothing, names its address to nobody and reflects no parameter", async (t) => {
  const { open, port } = await listener(t);
  const target =
    "/callback?code=canary-1&state=canary-2&error=canary-3&error_description=%3Cscript%3Ecanary-4";
  const answer = sendRaw(port, head(port, { target }));
  await open.received;
  await open.close("refused");

  const page = await answer;

  assert.equal(statusOf(page), 400);
  assert.match(page, /\r\ncache-control: no-store\r\n/i);
  assert.match(page, /\r\ncontent-security-policy: default-src 'none'; /i);
  assert.match(page, /\r\nreferrer-policy: no-referrer\r\n/i);
  assert.match(page, /\r\nx-content-type-options: nosniff\r\n/i);
  assert.doesNotMatch(page, /canary|<script/i);
});

for (const [outcome, sentence] of [
  ["signed-in", /You are signed in/],
  ["refused", /did not work/],
  [undefined, /Return to the program/],
] as const) {
  test(`U7 after a sign-in that ended ${outcome ?? "nobody said how"} the page says so`, async (t) => {
    const { open, port } = await listener(t);
    const answer = sendRaw(port, head(port));
    await open.received;

    await open.close(outcome);

    assert.match(await answer, sentence);
  });
}

const TURNED_AWAY: readonly (readonly [what: string, (port: number) => string, status: number])[] = [
  ["another name in Host", (port) => head(port).replace("127.0.0.1", "localhost"), 400],
  ["a rebound name in Host", (port) => head(port).replace(`127.0.0.1:${port}`, `evil.test:${port}`), 400],
  ["another port in Host", (port) => head(port).replace(`:${port}`, ":1"), 400],
  ["a Host without port", (port) => head(port).replace(`:${port}`, ""), 400],
  ["two Hosts", (port) => head(port, { lines: [`Host: 127.0.0.1:${port}`] }), 400],
  ["no Host", (port) => head(port).replace(/Host: .*\r\n/, ""), 400],
  ["POST", (port) => head(port, { method: "POST", lines: ["Content-Length: 0"] }), 405],
  ["HEAD", (port) => head(port, { method: "HEAD" }), 405],
  ["OPTIONS", (port) => head(port, { method: "OPTIONS" }), 405],
  ["another path", (port) => head(port, { target: "/?code=c&state=s" }), 404],
  ["a longer path", (port) => head(port, { target: "/callback/x?code=c&state=s" }), 404],
  ["a path in capitals", (port) => head(port, { target: "/Callback?code=c&state=s" }), 404],
  ["an escaped path", (port) => head(port, { target: "/%63allback?code=c&state=s" }), 404],
  ["a whole URL as the target", (port) => head(port, { target: "http://evil.test/callback?code=c" }), 404],
  ["the path alone", (port) => head(port, { target: "/callback" }), 400],
  ["an empty query", (port) => head(port, { target: "/callback?" }), 400],
  [
    "an image of a page",
    (port) => head(port, { lines: ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"] }),
    400,
  ],
  [
    "a frame of a page",
    (port) => head(port, { lines: ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"] }),
    400,
  ],
  [
    "a script's fetch",
    (port) => head(port, { lines: ["Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"] }),
    400,
  ],
  ["16 KiB of head", (port) => head(port, { target: `/callback?code=${"c".repeat(16 * 1024)}` }), 431],
  ["no HTTP", () => "hello\r\n\r\n", 400],
];

for (const [what, bytes, status] of TURNED_AWAY) {
  test(`U7 ${what} is answered ${status} and uses nothing up`, async (t) => {
    const { open, port } = await listener(t);

    const turnedAway = await sendRaw(port, bytes(port));
    const settled = await isSettled(open.received);
    const good = sendRaw(port, head(port, { target: "/callback?good=1" }));

    assert.equal(statusOf(turnedAway), status);
    assert.doesNotMatch(turnedAway, /code|evil/);
    assert.equal(settled, false);
    assert.equal(await open.received, `http://127.0.0.1:${port}/callback?good=1`);
    await open.close();
    await good;
  });
}

test("U7 a navigation of a browser is taken", async (t) => {
  const { open, port } = await listener(t);
  const lines = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-Site: cross-site"];
  const answer = sendRaw(port, head(port, { lines }));

  assert.equal(await open.received, `http://127.0.0.1:${port}/callback?code=c&state=s`);
  await open.close("signed-in");
  assert.equal(statusOf(await answer), 200);
});

test("U7 a second use is answered 404 and changes nothing", async (t) => {
  const { open, port } = await listener(t);
  const first = sendRaw(port, head(port, { target: "/callback?n=1" }));
  await open.received;

  const second = await sendRaw(port, head(port, { target: "/callback?n=2" }));
  await open.close("signed-in");

  assert.equal(statusOf(second), 404);
  assert.equal(await open.received, `http://127.0.0.1:${port}/callback?n=1`);
  assert.equal(statusOf(await first), 200);
});

test("U7 repeated parameters are handed over whole: which one counts is not the listener's to choose", async (t) => {
  const { open, port } = await listener(t);
  const answer = sendRaw(port, head(port, { target: "/callback?iss=a&iss=b" }));

  assert.equal(await open.received, `http://127.0.0.1:${port}/callback?iss=a&iss=b`);
  await open.close();
  await answer;
});

test("U7 a closed listener takes nothing more, and closing twice is closing once", async (t) => {
  const { open, port, controller } = await listener(t);

  await Promise.all([open.close(), open.close("signed-in")]);

  await assert.rejects(sendRaw(port, head(port)), { code: "ECONNREFUSED" });
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
});

test("U7 an abort ends the waiting with its very reason, and the listening with it", async (t) => {
  const { open, port, controller } = await listener(t);
  const reason = { mine: true };

  controller.abort(reason);

  await assert.rejects(open.received, (error) => error === reason);
  await open.close();
  await assert.rejects(sendRaw(port, head(port)), { code: "ECONNREFUSED" });
});

test("U7 connections that say nothing do not keep the listener from closing", async (t) => {
  const { open, port } = await listener(t);
  const silent = connect(port, "127.0.0.1");
  silent.on("error", () => undefined);
  await new Promise((resolve) => silent.once("connect", resolve));

  await open.close();

  assert.equal(await text(silent), "");
});

test("U7 a port that somebody has is refused with callback-port-taken", async (t) => {
  const { port } = await listener(t);
  const { signal } = new AbortController();

  const second = await createRedirectReceiver().open({ serverId: "two", port, signal });

  assert.deepEqual(second, {
    ok: false,
    refusal: { kind: "auth", reason: "callback-port-taken", serverId: "two" },
  });
});

test("U7 a given port is listened on once it is free", async (t) => {
  const first = await listener(t);
  await first.open.close();

  const second = await listener(t, first.port);

  assert.equal(second.port, first.port);
});
