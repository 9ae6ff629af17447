import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";

import { approveByCommand, commandPlace, type CommandPlace, type Ran } from "../../kit/commands.ts";
import { startIssuerWorld, type IssuerWorld } from "../../kit/loopback-issuer.ts";

interface Place {
  readonly world: IssuerWorld;
  readonly command: CommandPlace;
  /** As `run`; everything that any of them printed is kept. */
  readonly run: (args: readonly string[], input?: string) => Promise<Ran>;
  readonly printed: string[];
}

async function place(t: TestContext): Promise<Place> {
  const world = await startIssuerWorld(t);
  const command = await commandPlace(t, { web: { type: "http", url: world.url, oauth: {} } });
  await approveByCommand(command, "web");
  const printed: string[] = [];
  return {
    world,
    command,
    printed,
    run: async (args, input) => {
      const ran = await command.run(args, input === undefined ? {} : { input });
      printed.push(ran.stdout, ran.stderr);
      return ran;
    },
  };
}

/** Files under a folder whose bytes hold one of the words, by their path in it. */
async function filesWith(folder: string, words: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, "latin1");
      return words.some((word) => text.includes(word)) ? [relative(folder, path)] : [];
    }),
  );
  return found.flat();
}

test("U7 a sign-in survives the end of its process: print the page, later give the redirect, then call", async (t) => {
  const { world, run, printed, command } = await place(t);

  const page = await run(["login", "web", "--print-url"]);
  const redirectUrl = await world.browse(page.stdout.trim());
  const between = await filesWith(command.home, [...world.issued, "verifier"]);
  const completed = await run(["login", "web", "--redirect-url", "-"], redirectUrl);
  const again = await run(["login", "web", "--redirect-url", "-"], redirectUrl);
  const called = await run(["call", "web__echo", '{"text":"hi"}']);
  const state = await run(["auth"]);

  assert.deepEqual([page.code, completed.code, again.code, called.code], [0, 0, 3, 0]);
  assert.deepEqual([called.stdout, state.stdout], ["hi\n", "web  signed-in\n"]);
  // Between the steps nothing of it can be read in any file.
  assert.deepEqual(between, []);
  // Codes, verifiers and tokens were issued, and stand in the store and nowhere else.
  assert.ok(world.issued.length >= 4);
  const secrets = world.issued.filter((value) => value !== "");
  const stored = await filesWith(command.home, secrets);
  assert.deepEqual(
    stored.map((path) => path.split("/")[0]),
    ["credentials"],
  );
  assert.deepEqual(await filesWith(command.workspace, secrets), []);
  for (const text of printed)
    for (const secret of secrets) assert.ok(!text.includes(secret), "a secret was printed");
});

test("U9 the credential's file and folder are the person's alone, and logout leaves none", async (t) => {
  const { world, run, command } = await place(t);
  const page = await run(["login", "web", "--print-url"]);
  await run(["login", "web", "--redirect-url", "-"], await world.browse(page.stdout.trim()));
  const folder = join(command.home, "credentials");
  const [file = ""] = await readdir(folder);
  const modes = [(await stat(folder)).mode & 0o777, (await stat(join(folder, file))).mode & 0o777];

  const out = await run(["logout", "web"]);
  const after = await run(["call", "web__echo", '{"text":"hi"}']);

  assert.deepEqual(modes, [0o700, 0o600]);
  assert.deepEqual([out.code, out.stdout], [0, "signed out of web (revoked)\n"]);
  assert.equal(world.requests.filter(({ path }) => path === "/revoke").length, 2);
  assert.deepEqual(await filesWith(command.home, world.issued), []);
  assert.equal(after.code, 3);
  assert.match(after.stderr, /here: sallyport login web$/m);
});

test("U7 of two processes that give the same redirect one signs in, and the code is spent once", async (t) => {
  const { world, run } = await place(t);
  const page = await run(["login", "web", "--print-url"]);
  const redirectUrl = await world.browse(page.stdout.trim());

  const both = await Promise.all([1, 2].map(() => run(["login", "web", "--redirect-url", "-"], redirectUrl)));

  assert.deepEqual(new Set(both.map(({ code }) => code)), new Set([0, 3]));
  assert.equal(world.requests.filter(({ path }) => path === "/token").length, 1);
});

test("M6 a process without a terminal neither waits for a person nor opens a browser", async (t) => {
  const { world, run } = await place(t);

  const ran = await run(["login", "web"]);

  assert.deepEqual([ran.code, ran.stdout], [3, ""]);
  assert.match(ran.stderr, /there is no terminal.*sallyport login web --print-url\n$/);
  assert.deepEqual([world.requests, world.mcp.seen], [[], []]);
});

test("U13 a client's secret goes from standard input to the issuer and the store, and nowhere else", async (t) => {
  const { world, run, command, printed } = await place(t);
  const args = ["login", "web", "--client-credentials", "--client-id", "service", "--client-secret-stdin"];

  const ran = await run(args, "canary-service-secret\n");
  const called = await run(["call", "web__echo", '{"text":"hi"}']);

  assert.deepEqual([ran.code, called.code], [0, 0]);
  const words = ["canary-service-secret", ...world.issued];
  assert.deepEqual(
    (await filesWith(command.home, words)).map((path) => path.split("/")[0]),
    ["credentials"],
  );
  assert.doesNotMatch(printed.join(""), /canary/);
  assert.deepEqual(
    world.mcp.seen.filter(({ authorization = "" }) => authorization.includes("service")),
    [],
  );
});

test("U8b a token endpoint that fails leaves no credential, prints none of its words, and ends with its code", async (t) => {
  const { world, run, command } = await place(t);
  world.behaviour.tokenStatus = 500;
  const page = await run(["login", "web", "--print-url"]);

  const ran = await run(["login", "web", "--redirect-url", "-"], await world.browse(page.stdout.trim()));

  assert.equal(ran.code, 4);
  assert.doesNotMatch(ran.stderr, /server_error|canary/);
  assert.deepEqual(await readdir(join(command.home, "credentials")).catch(() => []), []);
});
