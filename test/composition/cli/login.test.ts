import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { audit } from "../../../src/composition/cli/audit.ts";
import { auth } from "../../../src/composition/cli/auth.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import { login } from "../../../src/composition/cli/login.ts";
import { logout } from "../../../src/composition/cli/logout.ts";
import { revoke } from "../../../src/composition/cli/deny.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import type { PageOpening } from "../../../src/ports/page-opener.ts";
import { runInside } from "../../kit/commands.ts";
import { hostFolders, type HostFolders } from "../../kit/hosts.ts";
import { startIssuerWorld, type IssuerWorld } from "../../kit/loopback-issuer.ts";

interface Place {
  readonly world: IssuerWorld;
  readonly folders: HostFolders;
}

async function place(t: TestContext, entry: object = { oauth: {} }): Promise<Place> {
  const world = await startIssuerWorld(t);
  const folders = await hostFolders(t, { web: { type: "http", url: world.url, ...entry } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  return { world, folders };
}

/** A person whose browser consents, and comes back. */
function browser(world: IssuerWorld) {
  return {
    watched: true,
    openPage: async (url: string): Promise<PageOpening> => {
      void world.browse(url).then((target) => fetch(target));
      return "opened";
    },
  };
}

test("U7 login opens the browser with the page, waits for it, and says that it worked", async (t) => {
  const { world, folders } = await place(t);

  const ran = await runInside(login, folders, ["login", "web"], browser(world));

  assert.deepEqual([ran.code, ran.stdout], [0, "signed in to web\n"]);
  assert.equal(ran.opened.length, 1);
  assert.match(ran.opened[0] ?? "", /\/authorize\?/);
  assert.match(ran.notes.join("\n"), /a browser was opened/);
  assert.equal((await runInside(call, folders, ["call", "web__echo", "--arg=text=hi"])).code, 0);
});

test("M5 login --json, logout --json and auth --json have the pinned shapes", async (t) => {
  const { world, folders } = await place(t);
  world.behaviour.expiresIn = 3_600;

  const before = await runInside(auth, folders, ["auth", "--json"]);
  const signedIn = await runInside(login, folders, ["login", "web", "--scope=a b", "--json"], browser(world));
  const between = await runInside(auth, folders, ["auth", "--json"]);
  const signedOut = await runInside(logout, folders, ["logout", "web", "--json"]);

  assert.deepEqual(JSON.parse(before.stdout), { servers: [{ name: "web", state: "signed-out" }] });
  const { expiresAtMs, ...document } = JSON.parse(signedIn.stdout);
  assert.ok(Number.isSafeInteger(expiresAtMs));
  assert.deepEqual(document, {
    name: "web",
    state: "signed-in",
    issuer: world.issuer,
    client: "dynamic",
    scopes: ["a", "b"],
    resourceOmitted: false,
  });
  assert.deepEqual(JSON.parse(between.stdout), { servers: [{ name: "web", state: "signed-in" }] });
  assert.deepEqual(JSON.parse(signedOut.stdout), { name: "web", revocation: "revoked" });
});

test("M5 login --print-url --json has the pinned shape; without --json the URL alone is the answer", async (t) => {
  const { world, folders } = await place(t);

  const json = await runInside(login, folders, ["login", "web", "--print-url", "--json"]);
  const plain = await runInside(login, folders, ["login", "web", "--print-url"]);

  const { authorizationUrl, redirectUri, expiresAtMs, ...rest } = JSON.parse(json.stdout);
  assert.deepEqual(rest, { name: "web", issuer: world.issuer });
  assert.match(redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  assert.equal(new URL(authorizationUrl).searchParams.get("redirect_uri"), redirectUri);
  assert.ok(Number.isSafeInteger(expiresAtMs));
  assert.match(plain.stdout, /^http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+\n$/);
  assert.match(plain.notes.join("\n"), /login web --redirect-url -/);
  assert.deepEqual([json.opened, plain.opened], [[], []]);
});

for (const how of ["argument", "standard input"] as const) {
  test(`U7 the redirect of a printed page completes the sign-in once, by ${how}`, async (t) => {
    const { world, folders } = await place(t);
    const page = await runInside(login, folders, ["login", "web", "--print-url"]);
    const redirectUrl = await world.browse(page.stdout.trim());
    const given = how === "argument" ? redirectUrl : "-";
    const complete = () =>
      runInside(login, folders, ["login", "web", "--redirect-url", given], { input: `${redirectUrl}\n` });

    const first = await complete();
    const second = await complete();

    assert.deepEqual([first.code, first.stdout], [0, "signed in to web\n"]);
    assert.equal(second.code, 3);
    assert.match(second.notes.join("\n"), /completed or refused already/);
    assert.equal(world.requests.filter(({ path }) => path === "/token").length, 1);
  });
}

test("U7 what is no redirect is told apart before the sign-in is used up", async (t) => {
  const { world, folders } = await place(t);
  const page = await runInside(login, folders, ["login", "web", "--print-url"]);
  const redirectUrl = await world.browse(page.stdout.trim());

  const wrong = await runInside(login, folders, [
    "login",
    "web",
    "--redirect-url",
    page.stdout.trim().slice(0, 20),
  ]);
  const right = await runInside(login, folders, ["login", "web", "--redirect-url", redirectUrl]);

  assert.deepEqual([wrong.code, right.code], [2, 0]);
});

test("M6 without a terminal login opens no browser, contacts nobody, and names the command that works", async (t) => {
  const { world, folders } = await place(t);

  const ran = await runInside(login, folders, ["login", "web", "--json"]);

  assert.equal(ran.code, 3);
  const { error } = JSON.parse(ran.stdout);
  assert.deepEqual([error.kind, error.reason], ["consent", "nobody-to-ask"]);
  assert.match(error.message, /login web --print-url/);
  assert.deepEqual([ran.opened, world.requests, world.mcp.seen], [[], [], []]);
});

test("U7 --no-browser opens none, prints the page and waits for it", async (t) => {
  const { world, folders } = await place(t);
  const noted: string[] = [];

  const running = runInside(login, folders, ["login", "web", "--no-browser"], {
    watched: true,
    onNote: (line) => {
      noted.push(line);
      if (line.startsWith("http")) void world.browse(line).then((target) => fetch(target));
    },
  });

  const ran = await running;
  assert.deepEqual([ran.code, ran.opened], [0, []]);
  assert.match(noted.join("\n"), /open this page/);
});

test("U7 a person who declines on the page is told, with code 6, and the port is free again", async (t) => {
  const { world, folders } = await place(t);
  world.behaviour.consent = "deny";

  const ran = await runInside(login, folders, ["login", "web", "--json"], browser(world));

  assert.equal(ran.code, 6);
  assert.partialDeepStrictEqual(JSON.parse(ran.stdout), {
    error: { kind: "auth", reason: "authorization-denied" },
  });
  assert.deepEqual(
    world.requests.filter(({ path }) => path === "/token"),
    [],
  );
});

test("A1 login, in every form, contacts nobody for a server that is not approved", async (t) => {
  const { world, folders } = await place(t);
  await runInside(revoke, folders, ["revoke", "web"]);

  const codes = await Promise.all([
    runInside(login, folders, ["login", "web"], browser(world)),
    runInside(login, folders, ["login", "web"]),
    runInside(login, folders, ["login", "web", "--print-url"]),
    runInside(login, folders, [
      "login",
      "web",
      "--redirect-url",
      "http://127.0.0.1:1/callback?code=c&state=s",
    ]),
    runInside(
      login,
      folders,
      ["login", "web", "--client-credentials", "--client-id=a", "--client-secret-stdin"],
      {
        input: "secret",
      },
    ),
  ]);

  assert.deepEqual(
    codes.map(({ code }) => code),
    [6, 6, 6, 6, 6],
  );
  assert.deepEqual([world.requests, world.mcp.seen], [[], []]);
});

test("U13 the client's secret comes from standard input, and a host without a person signs in by it", async (t) => {
  const { world, folders } = await place(t);
  const args = [
    "login",
    "web",
    "--client-credentials",
    "--client-id",
    "service",
    "--client-secret-stdin",
    "--scope",
    "a",
  ];

  const ran = await runInside(login, folders, args, { input: "canary-service-secret\n" });

  assert.deepEqual([ran.code, ran.stdout], [0, "signed in to web\n"]);
  const token = world.requests.find(({ path }) => path === "/token");
  const basic = Buffer.from("service:canary-service-secret").toString("base64");
  assert.equal(token?.authorization, `Basic ${basic}`);
  assert.equal(token?.parameters.get("scope"), "a");
});

test("U13 a pre-registered client signs a person in on its own redirect port", async (t) => {
  const { world, folders } = await place(t, { oauth: { clientId: "known", callbackPort: 49_321 } });

  const page = await runInside(login, folders, ["login", "web", "--print-url", "--client-secret-stdin"], {
    input: "canary-known-secret",
  });
  const redirectUrl = await world.browse(page.stdout.trim());
  const ran = await runInside(login, folders, ["login", "web", "--redirect-url", redirectUrl]);

  assert.equal(ran.code, 0);
  assert.match(redirectUrl, /^http:\/\/127\.0\.0\.1:49321\/callback\?/);
  assert.deepEqual(
    world.requests.filter(({ path }) => path === "/register"),
    [],
  );
});

for (const [what, input] of [
  ["nothing", ""],
  ["too much", "x".repeat(16_385)],
  ["no text", undefined],
] as const) {
  test(`U13 ${what} on standard input is no secret, and nothing is contacted`, async (t) => {
    const { world, folders } = await place(t);
    const args = ["login", "web", "--client-credentials", "--client-id=a", "--client-secret-stdin"];

    const ran = await runInside(login, folders, args, input === undefined ? {} : { input });

    assert.equal(ran.code, 2);
    assert.deepEqual(world.requests, []);
  });
}

test("M5 a call that needs a sign-in ends with code 3 and names the command", async (t) => {
  const { folders } = await place(t);

  const called = await runInside(call, folders, ["call", "web__echo"]);
  const listed = await runInside(tools, folders, ["tools"]);

  for (const ran of [called, listed]) {
    assert.equal(ran.code, 3);
    assert.match(ran.notes.join("\n"), /here: sallyport --workspace=\S+ --home=\S+ login web/);
  }
});

test("M5 a server that asks by itself ends with code 3 and the same command", async (t) => {
  const { folders } = await place(t, {});

  const ran = await runInside(tools, folders, ["tools"]);

  assert.equal(ran.code, 3);
  assert.match(ran.notes.join("\n"), /login web/);
});

test("U12 auth says one word for each server that takes a sign-in, approved or not, and contacts nobody", async (t) => {
  const world = await startIssuerWorld(t);
  const folders = await hostFolders(t, {
    web: { type: "http", url: world.url },
    other: { type: "http", url: "https://other.test/mcp", oauth: {} },
    helped: { type: "http", url: "https://x.test/", headersHelper: { command: "/bin/true" } },
    local: { command: process.execPath },
  });

  const ran = await runInside(auth, folders, ["auth"]);

  assert.deepEqual([ran.code, ran.stdout], [0, "other  signed-out\nweb  signed-out\n"]);
  assert.deepEqual(world.requests, []);
});

test("U11 logout forgets at once, says what became of the tokens, and may be repeated", async (t) => {
  const { world, folders } = await place(t);
  world.behaviour.revocation = false;
  await runInside(login, folders, ["login", "web"], browser(world));

  const first = await runInside(logout, folders, ["logout", "web"]);
  const second = await runInside(logout, folders, ["logout", "web"]);

  assert.deepEqual([first.code, first.stdout], [0, "signed out of web (unsupported)\n"]);
  assert.match(first.notes.join("\n"), /stays valid there/);
  assert.equal(second.stdout, "web was not signed in\n");
  assert.deepEqual(await readdir(join(folders.home, "credentials")), []);
});

test("A6 audit shows sign-ins and sign-outs", async (t) => {
  const { world, folders } = await place(t);
  await runInside(login, folders, ["login", "web"], browser(world));
  await runInside(logout, folders, ["logout", "web"]);

  const ran = await runInside(audit, folders, ["audit"]);

  assert.match(ran.stdout, /sign-in {2}web\n.*sign-out {2}web {2}revoked\n$/);
});

for (const verb of [login, logout]) {
  test(`M5 ${verb === login ? "login" : "logout"} of a name that nobody configured is a usage error`, async (t) => {
    const { folders } = await place(t);

    const ran = await runInside(verb, folders, [verb === login ? "login" : "logout", "nobody"]);

    assert.equal(ran.code, 2);
  });
}
