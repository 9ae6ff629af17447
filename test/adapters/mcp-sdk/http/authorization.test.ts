import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { accept, refuse } from "../../../../src/domain/outcome.ts";
import { CarrierError } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import type { Authenticator } from "../../../../src/ports/authenticator.ts";
import { authorization, authRefusal, bearer, scriptedAuthenticator } from "../../../kit/authenticators.ts";
import { assertEventually } from "../../../kit/child-groups.ts";
import { FakeEgress } from "../../../kit/fake-egress.ts";
import { carrierRefusal, openCarrier, openLegacyCarrier } from "../../../kit/http-carriers.ts";
import {
  echo,
  event,
  legacyScript,
  openStream,
  sendStatus,
  startScriptedServer,
  type Script,
} from "../../../kit/http-mcp-server.ts";
import { PlainEgress } from "../../../kit/plain-egress.ts";

const OAUTH = { parts: { oauth: {} } } as const;

/** Refuses the first `count` requests, then echoes. */
function refusing(count: number, status: 401 | 403, challenge = "Bearer"): Script {
  let refused = 0;
  return (request, response) => {
    if (refused === count) return echo(request, response);
    refused += 1;
    return sendStatus(response, status, { "www-authenticate": challenge });
  };
}

async function open(t: TestContext, script: Script, authenticator: Authenticator) {
  const server = await startScriptedServer(t, script);
  const connected = await openCarrier(t, server.url, { ...OAUTH, authenticatorFor: () => authenticator });
  return { server, ...connected };
}

test("U1 what the authenticator gives beats a static header of equal name, in any case of letters", async (t) => {
  const server = await startScriptedServer(t, echo);
  const egress = new PlainEgress();
  const { request } = await openCarrier(t, server.url, {
    egress,
    headers: { Authorization: "Bearer static", "X-Tenant": "t" },
    authenticatorFor: () => scriptedAuthenticator([bearer("fresh")]),
  });
  await request(1, "tools/list");
  const sent = egress.asked.flatMap((asked) => asked.request.headers);
  assert.deepEqual(
    sent.filter(([name]) => ["authorization", "x-tenant"].includes(name)),
    [
      ["authorization", "Bearer fresh"],
      ["x-tenant", "t"],
    ],
  );
});

test("U1 in the legacy era every kind of request is authorized: POST, GET, resume, cancel, DELETE", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({
      sessions: ["s"],
      script: ({ body }, response) => {
        openStream(response);
        // Cut after an id: the rest comes by a GET that resumes.
        response.end(event("", { id: `e-${body?.id}`, retry: 100 }));
      },
      onGet: ({ headers }, response) => {
        if (headers["last-event-id"] === undefined) return sendStatus(response, 405);
        openStream(response);
        response.write(": open\n\n");
      },
    }),
  );
  const authenticator = scriptedAuthenticator([bearer("token")]);
  const { carrier, request } = await openLegacyCarrier(t, server.url, {
    ...OAUTH,
    authenticatorFor: () => authenticator,
  });
  const calling = carrierRefusal(request(7, "tools/call"));
  await server.seen(1, ({ headers }) => headers["last-event-id"] === "e-7");
  await carrier.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  assert.equal((await calling).reason, "cancelled");
  await carrier.close();

  const kinds = server.requests.map(({ method, body, headers }) =>
    method === "GET" ? (headers["last-event-id"] ?? "GET") : (body?.method ?? method),
  );
  assert.deepEqual(
    new Set(kinds),
    new Set([
      "initialize",
      "notifications/initialized",
      "GET",
      "tools/call",
      "e-7",
      "notifications/cancelled",
      "DELETE",
    ]),
  );
  assert.deepEqual(
    server.requests.filter(({ headers }) => headers.authorization !== "Bearer token"),
    [],
  );
  assert.equal(authenticator.asked(), server.requests.length);
});

test("U2 a refusal is told to the authenticator with its challenge, and retried once with fresh headers", async (t) => {
  const challenge = 'Basic realm="x", Bearer error="invalid_token", scope="a b"';
  const authenticator = scriptedAuthenticator([bearer("old"), bearer("new")]);
  const { server, request, received } = await open(t, refusing(1, 401, challenge), authenticator);
  await request(1, "tools/call");
  assert.deepEqual(received, [{ jsonrpc: "2.0", id: 1, result: {} }]);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    ["Bearer old", "Bearer new"],
  );
  assert.deepEqual(authenticator.rejections, [
    {
      status: 401,
      generation: "old",
      challenge: { resourceMetadata: undefined, scopes: ["a", "b"], error: "invalid_token" },
    },
  ]);
});

for (const status of [401, 403] as const) {
  test(`U2 refused twice with ${status}, a request fails typed after exactly two attempts`, async (t) => {
    const authenticator = scriptedAuthenticator([bearer("old"), bearer("new")]);
    const { server, request } = await open(t, refusing(9, status), authenticator);
    assert.deepEqual(await carrierRefusal(request(1, "tools/list")), authRefusal("rejected", { status }));
    assert.equal(server.requests.length, 2);
    assert.equal(authenticator.rejections.length, 1);
  });
}

test("U2 an authenticator that sees no use in it gets no second attempt", async (t) => {
  const refusal = authRefusal("step-up-required", { status: 403, scopes: ["write"] });
  const authenticator = scriptedAuthenticator([bearer("old")], { onRejected: () => refuse(refusal) });
  const challenge = 'Bearer error="insufficient_scope", scope="write"';
  const { server, request } = await open(t, refusing(9, 403, challenge), authenticator);
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), refusal);
  assert.equal(server.requests.length, 1);
  assert.equal(authenticator.rejections[0]?.challenge?.error, "insufficient_scope");
});

const NARROW = 'Bearer error="insufficient_scope", scope="read write"';

test("U8 fresh authorization that is too narrow is a step-up notice with the scopes, and no third attempt", async (t) => {
  const authenticator = scriptedAuthenticator([bearer("x")]);
  const { server, request } = await open(t, refusing(9, 403, NARROW), authenticator);
  assert.deepEqual(
    await carrierRefusal(request(1, "tools/call")),
    authRefusal("step-up-required", { status: 403, scopes: ["read", "write"] }),
  );
  assert.equal(server.requests.length, 2);
});

test("U8 a token that was renewed and is too narrow has the authenticator's own notice", async (t) => {
  const notice = authRefusal("step-up-required", { scopes: ["granted", "read", "write"] });
  const authenticator = scriptedAuthenticator([bearer("expired"), bearer("renewed")], {
    onRejected: ({ status }) => (status === 401 ? accept("retry") : refuse(notice)),
  });
  const { server, request } = await open(
    t,
    ({ headers }, response) => {
      const status = headers.authorization === "Bearer expired" ? 401 : 403;
      sendStatus(response, status, { "www-authenticate": status === 401 ? "Bearer" : NARROW });
    },
    authenticator,
  );
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), notice);
  assert.equal(server.requests.length, 2);
  assert.deepEqual(
    authenticator.rejections.map(({ generation }) => generation),
    ["expired", "renewed"],
  );
});

test("U2 nothing is sent when the authenticator refuses, and its refusal arrives as it is", async (t) => {
  const refusal = authRefusal("sign-in-required");
  const { server, carrier, request } = await open(t, echo, scriptedAuthenticator([refusal]));
  assert.deepEqual(await carrierRefusal(request(1, "initialize")), refusal);
  assert.deepEqual(
    await carrierRefusal(carrier.send({ jsonrpc: "2.0", method: "notifications/initialized" })),
    refusal,
  );
  await carrier.close();
  assert.equal(server.requests.length, 0);
});

test("U2 an authenticator that gives up between the two attempts ends it there", async (t) => {
  const refusal = authRefusal("sign-in-required");
  const authenticator = scriptedAuthenticator([bearer("old"), refusal]);
  const { server, request } = await open(t, refusing(9, 401), authenticator);
  assert.deepEqual(await carrierRefusal(request(1, "tools/list")), refusal);
  assert.equal(server.requests.length, 1);
});

const THROWING: Authenticator = {
  ...scriptedAuthenticator([bearer("old")]),
  authorize: () => Promise.reject(new Error("s3cret")),
};

test("U2 an authenticator that throws is one that says no: nothing is sent, and no word of it is kept", async (t) => {
  const { server, request } = await open(t, echo, THROWING);
  await assert.rejects(request(1, "tools/list"), (error) => {
    assert.ok(error instanceof CarrierError);
    assert.equal(error.failure.refusal.reason, "auth-required");
    assert.equal(error.cause, undefined);
    return true;
  });
  assert.equal(server.requests.length, 0);
});

for (const [what, headers] of [
  ["that the protocol owns", { "mcp-session-id": "x" }],
  ["with a line break", { "x-key": "a\r\nb: c" }],
  ["twice", { "x-key": "a", "X-Key": "b" }],
] as const) {
  test(`H2 an authenticator cannot set a header ${what}: nothing is sent`, async (t) => {
    const { server, request } = await open(t, echo, scriptedAuthenticator([authorization("g", headers)]));
    assert.deepEqual(await carrierRefusal(request(1, "tools/list")), authRefusal("helper-header-refused"));
    assert.equal(server.requests.length, 0);
  });
}

test("U2 a call that is given up while its authorization is fetched ends at once, and sends nothing", async (t) => {
  const seen = Promise.withResolvers<AbortSignal>();
  const late = Promise.withResolvers<void>();
  const hanging: Authenticator = {
    ...scriptedAuthenticator([]),
    authorize: async ({ signal }) => {
      seen.resolve(signal);
      await late.promise;
      return accept(bearer("late"));
    },
  };
  const { server, request } = await open(t, echo, hanging);
  const control = new AbortController();
  const calling = carrierRefusal(request(1, "tools/list", { requestSignal: control.signal }));
  const signal = await seen.promise;
  control.abort();
  assert.equal((await calling).reason, "cancelled");
  assert.equal(signal.aborted, true);
  late.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(server.requests.length, 0);
});

test("U2 the body of a refusal is dropped unread, and its socket released", async (t) => {
  let closed = false;
  const { request } = await open(
    t,
    (_, response) => {
      response.on("close", () => (closed = true));
      response.writeHead(401, { "content-type": "application/json" });
      response.write("x");
    },
    scriptedAuthenticator([bearer("old")], { onRejected: () => refuse(authRefusal("sign-in-required")) }),
  );
  assert.equal((await carrierRefusal(request(1, "tools/list"))).reason, "sign-in-required");
  await assertEventually(() => closed, "the response is still open");
});

test("C8 a call whose stream broke and may not be resumed is lost, not refused: it was sent", async (t) => {
  const authenticator = scriptedAuthenticator([bearer("old")], {
    onRejected: () => refuse(authRefusal("sign-in-required")),
  });
  const server = await startScriptedServer(
    t,
    legacyScript({
      script: (_, response) => {
        openStream(response);
        response.end(event("", { id: "e", retry: 100 }));
      },
      onGet: (_, response) => sendStatus(response, 401),
    }),
  );
  const { request } = await openLegacyCarrier(t, server.url, {
    ...OAUTH,
    authenticatorFor: () => authenticator,
  });
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-lost");
});

test("H3c a session that cannot be renewed without a sign-in ends the connection with that reason", async (t) => {
  let revoked = false;
  const legacy = legacyScript({ sessions: ["one"], script: (_, response) => sendStatus(response, 404) });
  const server = await startScriptedServer(t, (request, response) => {
    if (revoked && request.body?.method === "initialize") return sendStatus(response, 401);
    return legacy(request, response);
  });
  const refusal = authRefusal("sign-in-required");
  const { carrier, request } = await openLegacyCarrier(t, server.url, {
    ...OAUTH,
    authenticatorFor: () => scriptedAuthenticator([bearer("old")], { onRejected: () => refuse(refusal) }),
  });
  revoked = true;
  assert.equal((await carrierRefusal(request(1, "tools/list"))).reason, "session-expired");
  assert.deepEqual(carrier.closeFailure, { refusal });
});

test("U2 a refused attempt holds no socket while the next one is under way", async (t) => {
  let openAtRetry: number | undefined;
  const egress: FakeEgress = new FakeEgress(({ request }) => {
    const isRetry = request.headers.some(([, value]) => value === "Bearer new");
    if (!isRetry) return { status: 401, chunks: ["page"] };
    openAtRetry = egress.open;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
    return { status: 200, headers: { "content-type": "application/json" }, chunks: [body] };
  });
  const authenticator = scriptedAuthenticator([bearer("old"), bearer("new")]);
  const { request } = await openCarrier(t, "https://mcp.example/mcp", {
    ...OAUTH,
    egress,
    authenticatorFor: () => authenticator,
  });
  await request(1, "tools/list");
  assert.equal(openAtRetry, 0);
});

test("U2 calls that are refused in one moment are each told of with their own challenge", async (t) => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  const together = Promise.withResolvers<void>();
  let waiting = 0;
  const egress = new FakeEgress(async ({ request }) => {
    waiting += 1;
    if (waiting === ids.length) together.resolve();
    await together.promise;
    const { id } = JSON.parse(String(request.body)) as { readonly id: number };
    return { status: 403, headers: { "www-authenticate": `Bearer scope="scope-${id}"` } };
  });
  const authenticator = scriptedAuthenticator([bearer("x")], {
    onRejected: ({ challenge }) => refuse(authRefusal("rejected", { scopes: challenge?.scopes ?? [] })),
  });
  const { request } = await openCarrier(t, "https://mcp.example/mcp", {
    ...OAUTH,
    egress,
    authenticatorFor: () => authenticator,
  });
  const refusals = await Promise.all(ids.map((id) => carrierRefusal(request(id, "tools/call"))));
  assert.deepEqual(
    refusals,
    ids.map((id) => authRefusal("rejected", { scopes: [`scope-${id}`] })),
  );
});
