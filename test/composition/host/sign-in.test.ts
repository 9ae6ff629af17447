import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createFileSignInSettings } from "../../../src/adapters/files/sign-in-settings.ts";
import type { McpHostOptions } from "../../../src/composition/host/host-options.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import type { AuditEvent } from "../../../src/domain/activation/audit-event.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { valueOf } from "../../kit/activation.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { approveAll, hostFolders, hostIn, type HostFolders } from "../../kit/hosts.ts";
import { startIssuerWorld, type IssuerWorld } from "../../kit/loopback-issuer.ts";
import { FakeReceiver } from "../../kit/oauth-world.ts";

interface Place {
  readonly world: IssuerWorld;
  readonly folders: HostFolders;
  readonly host: McpHost;
}

async function place(
  t: TestContext,
  entry: object = { oauth: {} },
  options: McpHostOptions = {},
): Promise<Place> {
  const world = await startIssuerWorld(t);
  const folders = await hostFolders(t, { web: { type: "http", url: world.url, ...entry } });
  const host = await hostIn(t, folders, options);
  await approveAll(host, "web");
  return { world, folders, host };
}

/** A person whose browser consents, and comes back. */
function browsing(world: IssuerWorld) {
  return {
    showPage: async (url: string) => {
      void world.browse(url).then((target) => fetch(target));
      return true;
    },
  };
}

async function events(host: McpHost): Promise<readonly AuditEvent[]> {
  const all: AuditEvent[] = [];
  for await (const event of host.audit()) all.push(event);
  return all;
}

async function writeSettings(folders: HostFolders, settings: object | string): Promise<void> {
  await mkdir(folders.home, { recursive: true, mode: 0o700 });
  const text = typeof settings === "string" ? settings : JSON.stringify({ version: 1, ...settings });
  await writeFile(join(folders.home, "auth.json"), text, { mode: 0o600 });
}

const call = (host: McpHost) => host.call("web__echo", { text: "hi" });

test("U7 a person signs in once, and from then on tools of the server can be called", async (t) => {
  const { world, host } = await place(t);

  const before = await call(host);
  const signedIn = valueOf(await host.signIn("web", browsing(world)));
  const after = valueOf(await call(host));

  assert.partialDeepStrictEqual(before, {
    ok: false,
    refusal: { refusal: { kind: "auth", reason: "sign-in-required" } },
  });
  assert.partialDeepStrictEqual(signedIn, {
    issuer: world.issuer,
    client: "dynamic",
    resourceOmitted: false,
  });
  assert.deepEqual(after.result.parts, [{ type: "text", text: "hi" }]);
  assert.equal(valueOf(await host.authState("web")), "signed-in");
});

test("U3 a definition that asks for OAuth is not contacted before somebody signed in", async (t) => {
  const { world, host } = await place(t);

  await call(host);

  assert.deepEqual(world.mcp.seen, []);
  assert.deepEqual(world.requests, []);
});

test("U2 a server whose definition asks for nothing can be signed in to when it answers 401", async (t) => {
  const { world, host } = await place(t, {});

  const before = await call(host);
  valueOf(await host.signIn("web", browsing(world)));
  const after = await call(host);

  assert.partialDeepStrictEqual(before, { ok: false, refusal: { refusal: { reason: "auth-required" } } });
  assert.equal(after.ok, true);
});

test("A1 nothing is contacted for a sign-in to a server that was not approved, and the refusal is audited", async (t) => {
  const { world, host } = await place(t);
  valueOf(await host.revoke("web"));

  const answers = [
    await host.signIn("web", browsing(world)),
    await host.beginSignIn("web"),
    await host.completeSignIn("web", { redirectUrl: "http://127.0.0.1:1/callback?code=c" }),
    await host.signInUnattended("web", { client: { clientId: "c", clientSecret: new Secret("s") } }),
  ];

  const refusal = { kind: "activation", reason: "revoked", serverId: "web" };
  assert.deepEqual(
    answers,
    answers.map(() => ({ ok: false, refusal })),
  );
  assert.deepEqual([world.requests, world.mcp.seen], [[], []]);
  const audited = (await events(host)).slice(-4).map(({ action, reason }) => [action, reason]);
  assert.deepEqual(
    audited,
    audited.map(() => ["admission-refused", "activation/revoked"]),
  );
});

test("A6 sign-in and sign-out append one event each, with closed words", async (t) => {
  const { world, host } = await place(t);

  valueOf(await host.signIn("web", browsing(world)));
  assert.deepEqual(valueOf(await host.signOut("web")), { revocation: "revoked" });
  world.behaviour.consent = "deny";
  await host.signIn("web", browsing(world));

  const audited = (await events(host)).slice(-3);
  assert.deepEqual(
    audited.map(({ action, serverId, reason }) => ({ action, serverId, reason })),
    [
      { action: "sign-in", serverId: "web", reason: undefined },
      { action: "sign-out", serverId: "web", reason: "revoked" },
      { action: "sign-in-refused", serverId: "web", reason: "auth/authorization-denied" },
    ],
  );
});

test("U11 after signing out nothing is sent to the server, and the file is gone", async (t) => {
  const { world, host, folders } = await place(t);
  valueOf(await host.signIn("web", browsing(world)));
  valueOf(await host.signOut("web"));
  const seen = world.mcp.seen.length;

  const after = await call(host);

  assert.partialDeepStrictEqual(after, { ok: false, refusal: { refusal: { reason: "sign-in-required" } } });
  assert.equal(world.mcp.seen.length, seen);
  assert.deepEqual(await readdir(join(folders.home, "credentials")), []);
  assert.equal(valueOf(await host.authState("web")), "signed-out");
});

test("U11 a server whose approval was revoked can still be signed out of", async (t) => {
  const { world, host } = await place(t);
  valueOf(await host.signIn("web", browsing(world)));
  valueOf(await host.revoke("web"));

  assert.deepEqual(valueOf(await host.signOut("web")), { revocation: "revoked" });
});

test("U6 a second sign-in uses the kept registration, and the redirect URI it was made for", async (t) => {
  const { world, host } = await place(t);

  valueOf(await host.signIn("web", browsing(world)));
  valueOf(await host.signIn("web", browsing(world)));
  const page = valueOf(await host.beginSignIn("web"));

  const registered = world.requests.filter(({ path }) => path === "/register");
  const redirects = world.requests.flatMap(({ path, parameters }) =>
    path === "/authorize" ? [parameters.get("redirect_uri")] : [],
  );
  assert.equal(registered.length, 1);
  assert.deepEqual(redirects, [page.redirectUri, page.redirectUri]);
});

test("U7 the two steps of a sign-in may be taken in two hosts, once", async (t) => {
  const { world, folders, host } = await place(t);
  const page = valueOf(await host.beginSignIn("web", { scopes: ["a", "b"] }));
  await host.close();

  const redirectUrl = await world.browse(page.authorizationUrl);
  const second = await hostIn(t, folders);
  const signedIn = valueOf(await second.completeSignIn("web", { redirectUrl }));
  const again = await second.completeSignIn("web", { redirectUrl });

  assert.deepEqual(signedIn.scopes, ["a", "b"]);
  assert.deepEqual(again, { ok: false, refusal: { kind: "auth", reason: "pending-used", serverId: "web" } });
  assert.equal((await call(second)).ok, true);
  assert.partialDeepStrictEqual(
    (await events(second)).filter(({ action }) => action.startsWith("sign-in")),
    [{ action: "sign-in" }, { action: "sign-in-refused", reason: "auth/pending-used" }],
  );
});

test("U7 the second step has 10 minutes, and is too late on the last of them", async (t) => {
  const clock = new FakeClock();
  const { world, host } = await place(t, {}, { parts: { clock } });
  const page = valueOf(await host.beginSignIn("web"));
  const redirectUrl = await world.browse(page.authorizationUrl);
  await clock.advance(600_000);

  const late = await host.completeSignIn("web", { redirectUrl });

  assert.equal(page.expiresAtMs, clock.nowMs());
  assert.deepEqual(late, {
    ok: false,
    refusal: { kind: "auth", reason: "pending-expired", serverId: "web" },
  });
  assert.deepEqual(
    world.requests.filter(({ path }) => path === "/token"),
    [],
  );
});

test("U7 with nothing begun there is nothing to complete", async (t) => {
  const { host, world } = await place(t);

  const completed = await host.completeSignIn("web", {
    redirectUrl: "http://127.0.0.1:1/callback?code=c&state=s",
  });

  assert.deepEqual(completed, {
    ok: false,
    refusal: { kind: "auth", reason: "pending-missing", serverId: "web" },
  });
  assert.deepEqual(world.requests, []);
});

test("U7 a redirect with another state sends no code anywhere, and uses the sign-in up", async (t) => {
  const { world, host } = await place(t);
  const page = valueOf(await host.beginSignIn("web"));
  const redirectUrl = await world.browse(page.authorizationUrl);
  const other = redirectUrl.replace(/state=[^&]+/, "state=another");

  const completed = await host.completeSignIn("web", { redirectUrl: other });
  const again = await host.completeSignIn("web", { redirectUrl });

  assert.partialDeepStrictEqual(completed, { ok: false, refusal: { reason: "state-mismatch" } });
  assert.partialDeepStrictEqual(again, { ok: false, refusal: { reason: "pending-used" } });
  assert.deepEqual(
    world.requests.filter(({ path }) => path === "/token"),
    [],
  );
});

test("U7 a sign-in that nobody comes back from ends after 5 minutes and leaves no timer", async (t) => {
  const clock = new FakeClock();
  const receiver = new FakeReceiver();
  const { world, host } = await place(t, {}, { parts: { clock, redirects: receiver } });
  let signingIn: ReturnType<McpHost["signIn"]> | undefined;
  await new Promise<void>((resolve) => {
    const showPage = async (): Promise<boolean> => {
      setImmediate(resolve);
      return true;
    };
    signingIn = host.signIn("web", { showPage });
  });
  await clock.advance(299_999);
  const pendingBefore = clock.pending;
  await clock.advance(1);

  assert.partialDeepStrictEqual(await signingIn, { ok: false, refusal: { reason: "sign-in-timeout" } });
  assert.deepEqual([pendingBefore > 0, clock.pending], [true, 0]);
  assert.deepEqual(receiver.closed, ["refused"]);
  assert.deepEqual(
    world.requests.filter(({ path }) => path === "/token"),
    [],
  );
});

test("U7 a person who would not see the page cancels the sign-in", async (t) => {
  const { host } = await place(t);

  const cancelled = await host.signIn("web", { showPage: async () => false });

  assert.partialDeepStrictEqual(cancelled, { ok: false, refusal: { reason: "sign-in-cancelled" } });
});

test("U13 a host without a person signs in by the client's secret, and renews by it", async (t) => {
  const { world, host } = await place(t);
  world.behaviour.expiresIn = 1;
  const client = { clientId: "service", clientSecret: new Secret("canary-service-secret") };

  const signedIn = valueOf(await host.signInUnattended("web", { client, scopes: ["a"] }));
  world.behaviour.expiresIn = 3_600;

  assert.equal(signedIn.client, "pre-registered");
  assert.equal((await call(host)).ok, true);
  const grants = world.requests.flatMap(({ path, parameters }) =>
    path === "/token" ? [parameters.get("grant_type")] : [],
  );
  assert.ok(grants.length >= 1 && grants.every((grant) => grant === "client_credentials"));
});

test("U12 a server that nobody signed in to is signed-out, and asking contacts nobody and creates nothing", async (t) => {
  const { world, host, folders } = await place(t);

  assert.equal(valueOf(await host.authState("web")), "signed-out");

  assert.deepEqual(world.requests, []);
  await assert.rejects(stat(join(folders.home, "credentials")), { code: "ENOENT" });
});

test("U12 a credential of another issuer than the pinned one needs a sign-in", async (t) => {
  const { world, host, folders } = await place(t);
  valueOf(await host.signIn("web", browsing(world)));
  await writeSettings(folders, { servers: { [world.url]: { issuer: "https://pinned.test" } } });

  assert.equal(valueOf(await host.authState("web")), "sign-in-required");
  assert.partialDeepStrictEqual(await call(host), {
    ok: false,
    refusal: { refusal: { reason: "sign-in-required" } },
  });
});

test("U5 another issuer than the pinned one is refused, and no code, token or client goes there", async (t) => {
  const { world, host, folders } = await place(t);
  await writeSettings(folders, { servers: { [world.url]: { issuer: "https://pinned.test" } } });

  const refused = await host.signIn("web", browsing(world));

  assert.partialDeepStrictEqual(refused, { ok: false, refusal: { reason: "issuer-not-pinned" } });
  assert.deepEqual(world.requests, []);
});

test("U7 resource is sent with the page and the code, unless the person opted out, which is audited", async (t) => {
  const { world, host, folders } = await place(t);
  const resources = () =>
    world.requests.flatMap(({ path, parameters }) =>
      path === "/authorize" || path === "/token" ? [parameters.get("resource")] : [],
    );
  valueOf(await host.signIn("web", browsing(world)));
  const sent = resources();
  await writeSettings(folders, { servers: { [world.url]: { omitResource: true } } });

  const signedIn = valueOf(await host.signIn("web", browsing(world)));

  assert.deepEqual(sent, [world.url, world.url]);
  assert.deepEqual(resources().slice(2), [null, null]);
  assert.equal(signedIn.resourceOmitted, true);
  assert.partialDeepStrictEqual((await events(host)).at(-1), {
    action: "sign-in",
    reason: "resource-omitted",
  });
});

for (const [what, settings] of [
  ["misspelled", { servers: { "https://x.test/": { isuer: "https://id.test" } } }],
  ["that is no JSON", "{"],
  ["of a later version", { version: 2, servers: {} }],
] as const) {
  test(`U5 sign-in settings ${what} are never taken for none`, async (t) => {
    const { world, host, folders } = await place(t);
    await writeSettings(folders, settings);

    const refused = await host.signIn("web", browsing(world));

    assert.deepEqual(refused, {
      ok: false,
      refusal: { kind: "auth", reason: "settings-invalid", serverId: "web" },
    });
    assert.deepEqual(world.requests, []);
  });
}

test("U3 broken sign-in settings stop nobody from using a server that nobody signed in to", async (t) => {
  const { host, folders } = await place(t, {});
  await writeSettings(folders, "{");

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, { ok: false, refusal: { refusal: { reason: "auth-required" } } });
});

test("H7 a server of an old transport that asks for OAuth is refused for its transport", async (t) => {
  const { world, host } = await place(t, { type: "sse", oauth: {} });

  const answers = [await host.connect("web"), await host.signIn("web", browsing(world))];

  assert.partialDeepStrictEqual(answers, [
    { ok: false, refusal: { refusal: { kind: "http-admission", reason: "sse-transport" } } },
    { ok: false, refusal: { kind: "http-admission", reason: "sse-transport" } },
  ]);
});

test("U13 a host without a person signs in by the client's private key", async (t) => {
  const { world, host } = await place(t);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

  valueOf(
    await host.signInUnattended("web", { client: { clientId: "service", privateKey: new Secret(pem) } }),
  );

  const token = world.requests.find(({ path }) => path === "/token");
  const [head = "", body = "", signature = ""] = (token?.parameters.get("client_assertion") ?? "").split(".");
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")));
  assert.partialDeepStrictEqual(JSON.parse(Buffer.from(body, "base64url").toString()), {
    iss: "service",
    sub: "service",
  });
});

test("M1 sign-in settings in the workspace mean nothing", async (t) => {
  const { world, host, folders } = await place(t);
  await writeSettings(
    { ...folders, home: folders.workspace },
    { servers: { [world.url]: { omitResource: true } } },
  );

  assert.equal(valueOf(await host.signIn("web", browsing(world))).resourceOmitted, false);
});

const environment = (name: string) => (name === "MY_TOKEN" ? "canary" : process.env[name]);

for (const [what, entry] of [
  ["stdio", { type: "stdio", url: undefined, command: process.execPath }],
  ["with a headers helper", { headersHelper: { command: process.execPath } }],
  ["with a secret in its URL", { url: "https://x.test/?token=${MY_TOKEN}" }],
] as const) {
  test(`U3 a server ${what} takes no sign-in: no-sign-in, and nothing is contacted`, async (t) => {
    const { world, host } = await place(t, entry, { environment });

    const refused = await host.signIn("web", browsing(world));

    assert.deepEqual(refused, {
      ok: false,
      refusal: { kind: "host", reason: "no-sign-in", serverId: "web" },
    });
    assert.deepEqual([world.requests, world.mcp.seen], [[], []]);
  });
}

test("U9 a credential file that cannot be believed is a refusal, and the server is not asked without it", async (t) => {
  const { world, host, folders } = await place(t, {});
  valueOf(await host.signIn("web", browsing(world)));
  const [file = ""] = await readdir(join(folders.home, "credentials"));
  await chmod(join(folders.home, "credentials", file), 0o644);
  const seen = world.mcp.seen.length;

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { refusal: { kind: "auth", reason: "store-failed" } },
  });
  assert.equal(world.mcp.seen.length, seen);
});

test("U5 settings are read by the server's canonical URL", async (t) => {
  const { folders } = await place(t);
  await writeSettings(folders, { servers: { "HTTPS://MCP.test:443/a": { omitResource: true } } });
  const source = createFileSignInSettings({ folder: folders.home, clock: new FakeClock() });

  const settings = valueOf(await source.load({ signal: new AbortController().signal }));

  assert.deepEqual([...settings], [["https://mcp.test/a", { omitResource: true }]]);
});
