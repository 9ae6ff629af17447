import assert from "node:assert/strict";
import { chmod, chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { oauthHost, type OauthHost } from "../../kit/oauth-host.ts";
import { valueOf } from "../../kit/oauth-world.ts";
import { startOidcWorld, type OidcWorld, type OidcWorldOptions } from "../../kit/oidc-provider.ts";
import {
  REFRESH_STEPS,
  startRefresher,
  type RefresherOptions,
  type RefreshStep,
} from "../../kit/refreshers.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import type { Credential } from "../../../src/domain/oauth/credential.ts";

/** As long as anybody may be blocked (U10). */
const LIMIT_MS = 60_000;

interface Start {
  readonly world: OidcWorld;
  readonly host: OauthHost;
  readonly folder: string;
  readonly options: RefresherOptions;
  /** Before the refresh. */
  readonly old: Credential;
}

/** A home with one credential whose access token has ended. */
async function startExpired(t: TestContext, options: OidcWorldOptions = {}): Promise<Start> {
  const world = await startOidcWorld(t, options);
  const folder = await tempFolder(t);
  const url = world.mcpUrl;
  const host = oauthHost(t, { url, folder });
  valueOf(await host.login());
  await host.expire();
  const old = await host.stored();
  assert.ok(old !== undefined);
  return { world, host, folder, old, options: { url, folder, staleMs: 2_000 } };
}

/** What a process that comes later gets: the token, or the reason why there is none. Nobody blocks it for longer. */
async function authorize(t: TestContext, { options }: Start): Promise<string> {
  const later = oauthHost(t, options);
  const outcome = await later.authenticator.authorize({ signal: AbortSignal.timeout(LIMIT_MS) });
  return outcome.ok ? bearerOf(await later.stored()) : outcome.refusal.reason;
}

function bearerOf(credential: Credential | undefined): string {
  return `Bearer ${credential?.tokens?.accessToken.reveal()}`;
}

describe("U10 processes that share one credential", { concurrency: 4 }, () => {
  test("U10 fault F11 eight calls at once in each of five processes make one token request, and all use its token", async (t) => {
    const { world, host, options } = await startExpired(t);
    const processes = await Promise.all([1, 2, 3, 4, 5].map(() => startRefresher(t, options)));

    for (const each of processes) each.go();
    const reports = await Promise.all(processes.map((each) => each.report()));

    assert.deepEqual(world.tokenRequests, ["authorization_code", "refresh_token"]);
    const bearer = bearerOf(await host.stored());
    assert.deepEqual(new Set(reports.flatMap(({ authorizations }) => authorizations)), new Set([bearer]));
    assert.equal(reports.flatMap(({ authorizations }) => authorizations).length, 40);
    assert.deepEqual(
      reports.map(({ call }) => call),
      ["called", "called", "called", "called", "called"],
    );
  });

  test("U10 eight calls at once that are refused with 401 make one token request, and all go through", async (t) => {
    const world = await startOidcWorld(t);
    const host = oauthHost(t, { url: world.mcpUrl, folder: await tempFolder(t) });
    valueOf(await host.login());
    const session = valueOf(await host.connect());
    await world.forget((await host.stored())?.tokens?.accessToken.reveal() ?? "");

    const calls = Array.from({ length: 8 }, (_, index) => session.callTool("echo", { text: `${index}` }));
    const answers = await Promise.all(calls);

    assert.deepEqual(
      answers.map((answer) => answer.ok),
      Array.from({ length: 8 }, () => true),
    );
    assert.deepEqual(world.tokenRequests, ["authorization_code", "refresh_token"]);
  });
});

/** What is kept when a holder is killed there, and what the next one then gets. */
const AFTER_A_KILL: Readonly<Record<RefreshStep, { readonly kept: "old" | "new"; readonly next: string }>> = {
  "before the request": { kept: "old", next: "a new token" },
  // The server has rotated what we still have: it takes the second use for theft, and says so.
  "after the request": { kept: "old", next: "grant-refused" },
  "before the write": { kept: "old", next: "grant-refused" },
  "before the rename": { kept: "old", next: "grant-refused" },
  "after the rename": { kept: "new", next: "the token" },
  "after the write": { kept: "new", next: "the token" },
};

describe("U10 a holder that is killed", { concurrency: 6 }, () => {
  for (const step of REFRESH_STEPS) {
    const { kept, next } = AFTER_A_KILL[step];
    test(`U10 a holder killed ${step} leaves the ${kept} credential, and the next one gets ${next}`, async (t) => {
      const start = await startExpired(t);
      const { world, host, old, options, folder } = start;
      const holder = await startRefresher(t, { ...options, step });
      holder.go();

      assert.equal(await holder.next(), `at ${step}`);
      assert.equal(await holder.ended, "SIGKILL");
      const left = await host.stored();
      const got = await authorize(t, start);

      assert.equal(left?.generation === old.generation ? "old" : "new", kept);
      assert.ok(left?.tokens !== undefined);
      const spent = world.tokenRequests.slice(1);
      if (next === "the token") {
        assert.equal(got, bearerOf(left));
        assert.deepEqual(spent, ["refresh_token"]);
      } else if (next === "a new token") {
        assert.notEqual(got, bearerOf(left));
        assert.match(got, /^Bearer /);
        assert.deepEqual(spent, ["refresh_token"]);
      } else {
        assert.equal(got, next);
        assert.deepEqual(spent, ["refresh_token", "refresh_token invalid_grant"]);
      }
      const files = await readdir(join(folder, "credentials"));
      assert.deepEqual(
        files.map((file) => file.replace(/^[0-9a-f]+/, "digest")),
        next === "the token" && files.length === 2 ? ["digest.json", "digest.json.lock"] : ["digest.json"],
      );
    });
  }
});

describe("U10 a holder that is stopped past the stale time", { concurrency: 3 }, () => {
  for (const step of ["after the request", "before the write"] as const) {
    test(`U10 fault F32 a holder stopped ${step} and resumed does not overwrite the winner's token, and uses it`, async (t) => {
      // Without reuse detection both get a token: so only the store decides which one is kept.
      const start = await startExpired(t, { rotation: false });
      const { world, host, options } = start;
      const holder = await startRefresher(t, { ...options, step, signal: "SIGSTOP" });
      holder.go();
      assert.equal(await holder.next(), `at ${step}`);

      const won = await authorize(t, start);
      const winner = await host.stored();
      holder.resume();
      const report = await holder.report();

      assert.equal(await holder.ended, null);
      assert.equal((await host.stored())?.generation, winner?.generation);
      assert.equal(bearerOf(await host.stored()), won);
      assert.deepEqual(new Set(report.authorizations), new Set([won]));
      assert.equal(report.call, "called");
      assert.deepEqual(world.tokenRequests.slice(1), ["refresh_token", "refresh_token"]);
    });
  }

  test("U10 a holder stopped before its request, whose token was rotated meanwhile, does not clear the winner's", async (t) => {
    const start = await startExpired(t);
    const { world, host, options } = start;
    const step = "before the request";
    const holder = await startRefresher(t, { ...options, step, signal: "SIGSTOP", authorizeOnly: true });
    holder.go();
    assert.equal(await holder.next(), `at ${step}`);

    const won = await authorize(t, start);
    const winner = await host.stored();
    holder.resume();
    const report = await holder.report();

    assert.equal((await host.stored())?.generation, winner?.generation);
    assert.equal(bearerOf(await host.stored()), won);
    // What it has is the winner's token, though the server ended the family when it saw the second use.
    assert.deepEqual(new Set(report.authorizations), new Set([won]));
    assert.deepEqual(world.tokenRequests.slice(1), ["refresh_token", "refresh_token invalid_grant"]);
  });

  test("U11 a holder stopped with a new token in its hands, and signed out meanwhile, brings no record back", async (t) => {
    const start = await startExpired(t);
    const { world, host, options, folder } = start;
    const step = "before the write";
    const holder = await startRefresher(t, { ...options, step, signal: "SIGSTOP", authorizeOnly: true });
    holder.go();
    assert.equal(await holder.next(), `at ${step}`);

    const out = valueOf(await host.logout());
    holder.resume();
    const report = await holder.report();

    assert.equal(out.revocation, "revoked");
    assert.deepEqual(new Set(report.authorizations), new Set(["refused sign-in-required"]));
    assert.equal(await host.stored(), undefined);
    assert.deepEqual(await readdir(join(folder, "credentials")), []);
    assert.deepEqual(world.tokenRequests.slice(1), ["refresh_token"]);
  });
});

describe("U10 a credential that cannot be written", { concurrency: 2 }, () => {
  test("U10 a full disk keeps the old credential, and every caller is told store-failed", async (t) => {
    const { world, host, old, options } = await startExpired(t);
    const holder = await startRefresher(t, { ...options, authorizeOnly: true }, { fileLimitBlocks: 0 });
    holder.go();

    const { authorizations } = await holder.report();

    assert.deepEqual(new Set(authorizations), new Set(["refused store-failed"]));
    assert.deepEqual(await host.stored(), old);
    assert.equal(world.tokenRequests[1], "refresh_token");
  });

  test("U10 a read-only folder keeps the old credential, and every caller is told store-failed", async (t) => {
    const { host, old, options, folder } = await startExpired(t, { rotation: false });
    const credentials = join(folder, "credentials");
    // The superuser is not stopped by modes: so somebody else comes.
    const uid = process.getuid?.() === 0 ? 65_534 : undefined;
    await give(folder, uid);
    const authorizations = async (): Promise<ReadonlySet<string>> => {
      const holder = await startRefresher(t, { ...options, authorizeOnly: true }, { uid });
      holder.go();
      return new Set((await holder.report()).authorizations);
    };

    await chmod(credentials, 0o500);
    const refused = await authorizations();
    await chmod(credentials, 0o700);
    await give(folder, process.getuid?.());
    const kept = await host.stored();
    await give(folder, uid);
    const taken = await authorizations();
    await give(folder, process.getuid?.());

    assert.deepEqual(refused, new Set(["refused store-failed"]));
    assert.deepEqual(kept, old);
    // The same process in the same folder, once it may write there.
    assert.deepEqual(taken, new Set([bearerOf(await host.stored())]));
  });
});

/** Gives a home and everything in it to a user. */
async function give(folder: string, uid: number | undefined): Promise<void> {
  if (uid === undefined) return;
  await chown(folder, uid, 0);
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), uid, 0);
}
