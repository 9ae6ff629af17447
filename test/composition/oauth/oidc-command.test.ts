import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { approveByCommand, commandPlace, type CommandPlace, type Ran } from "../../kit/commands.ts";
import { browse } from "../../kit/oidc-browser.ts";
import { startOidcWorld, type OidcWorld } from "../../kit/oidc-provider.ts";
import { never } from "../../kit/oauth-world.ts";

const NAME = "docs";
const CALL = ["call", "docs__echo", "--arg=text=hello"] as const;

interface Place {
  readonly world: OidcWorld;
  readonly place: CommandPlace;
  /** Everything that any of the commands printed. */
  readonly printed: string[];
  readonly run: (args: readonly string[]) => Promise<Ran>;
}

/** A workspace with one server that asks for a sign-in, trusted and approved; each command is a process. */
async function start(t: TestContext): Promise<Place> {
  const world = await startOidcWorld(t);
  const place = await commandPlace(t, { [NAME]: { type: "http", url: world.mcpUrl, oauth: {} } });
  await approveByCommand(place, NAME);
  const printed: string[] = [];
  const run: Place["run"] = async (args) => {
    const ran = await place.run(args);
    printed.push(ran.stdout, ran.stderr);
    return ran;
  };
  return { world, place, printed, run };
}

/** The two steps of a sign-in without a browser on this machine; answers the redirect that was pasted. */
async function signIn({ run }: Place): Promise<string> {
  const shown = await run(["login", NAME, "--print-url"]);
  assert.equal(shown.code, 0, shown.stderr);
  const page = shown.stdout.trim();
  const until = new URL(page).searchParams.get("redirect_uri") ?? "";
  const redirectUrl = await browse(page, { until, signal: never() });
  const done = await run(["login", NAME, "--redirect-url", redirectUrl]);
  assert.equal(done.code, 0, done.stderr);
  return redirectUrl;
}

/** Access and refresh token, as the only file that has them has them. */
async function tokensIn({ place }: Place): Promise<readonly string[]> {
  const folder = join(place.home, "credentials");
  const [file = ""] = await readdir(folder);
  const text = await readFile(join(folder, file), "utf8");
  const { tokens } = JSON.parse(text) as { tokens: { accessToken: string; refreshToken: string } };
  return [tokens.accessToken, tokens.refreshToken];
}

test("U7 a sign-in outlives its process: the page is printed by one, the redirect taken by another, once", async (t) => {
  const begun = await start(t);
  const { world, run } = begun;

  const before = await run(CALL);
  const redirectUrl = await signIn(begun);
  const again = await run(["login", NAME, "--redirect-url", redirectUrl]);
  const called = await run(CALL);

  assert.equal(before.code, 3, before.stderr);
  assert.notEqual(again.code, 0);
  assert.equal(called.code, 0, called.stderr);
  assert.match(called.stdout, /hello/);
  assert.deepEqual(world.tokenRequests, ["authorization_code"]);
});

test("U11 after logout the server takes the token no more, and a call asks for a sign-in", async (t) => {
  const begun = await start(t);
  const { world, run } = begun;
  await signIn(begun);
  const [access = ""] = await tokensIn(begun);
  assert.equal(await world.isLive(access), true);
  const signedIn = await run(["auth", "--json"]);

  const out = await run(["logout", NAME, "--json"]);
  const signedOut = await run(["auth", "--json"]);
  const called = await run(CALL);

  assert.deepEqual(JSON.parse(out.stdout), { name: NAME, revocation: "revoked" });
  assert.equal(await world.isLive(access), false);
  assert.equal(called.code, 3);
  assert.deepEqual(
    [signedIn, signedOut].map(({ stdout }) => JSON.parse(stdout).servers[0].state),
    ["signed-in", "signed-out"],
  );
});

test("U1 no command prints a token, a code, a verifier or a state that is still worth something", async (t) => {
  const begun = await start(t);
  const { run, printed, place } = begun;
  const redirectUrl = await signIn(begun);
  const tokens = await tokensIn(begun);
  const code = new URL(redirectUrl).searchParams.get("code") ?? "";

  await run(CALL);
  await run(["list", "--json"]);
  await run(["explain", NAME]);
  await run(["auth"]);
  await run(["logout", NAME]);
  await run(["audit"]);

  const shown = printed.join("\n");
  assert.equal(tokens.length, 2);
  for (const secret of [...tokens, code]) {
    assert.ok(secret.length > 20);
    assert.ok(!shown.includes(secret), "a secret is printed");
  }
  // What is left in the home when it is over: nothing of it.
  for (const entry of await readdir(place.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    for (const secret of [...tokens, code]) assert.ok(!text.includes(secret), entry.name);
  }
});
