import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { inspect } from "node:util";

import { describeRefusal } from "../../../src/domain/refusal-text.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { oauthHost, type OauthHost } from "../../kit/oauth-host.ts";
import {
  ACCESS,
  CLIENT_SECRET,
  CODE,
  personWith,
  redirectUrl,
  REFRESH,
  startTrapWorld,
  type TrapWorld,
} from "../../kit/oauth-trap.ts";
import { authRefusalOf, never, valueOf } from "../../kit/oauth-world.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

interface Start {
  readonly world: TrapWorld;
  readonly host: OauthHost;
  readonly folder: string;
}

async function start(t: TestContext): Promise<Start> {
  const world = await startTrapWorld(t);
  const folder = await tempFolder(t);
  return { world, folder, host: oauthHost(t, { url: world.mcpUrl, folder }) };
}

function login({ world, host }: Start): ReturnType<OauthHost["login"]> {
  const client = { clientId: "by-hand", clientSecret: new Secret(CLIENT_SECRET) };
  return host.login({ client, ...personWith(world.issuer.origin, redirectUrl) });
}

/** Code, tokens, client secret, and the verifier that this sign-in happened to have. */
function secretsOf({ issuer }: TrapWorld): readonly string[] {
  const posted = issuer.bodies.map((body) => new URLSearchParams(body).get("code_verifier"));
  const verifiers = posted.filter((verifier) => verifier !== null);
  assert.ok(verifiers.length > 0, "no verifier was sent");
  return [CODE, ACCESS, REFRESH, CLIENT_SECRET, ...verifiers];
}

/** Every form in which a value may end up in a log. */
function printed(value: unknown): string {
  const whole = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  return [whole, JSON.stringify(value), String(value)].join("\n");
}

function assertNoneIn(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), "a secret is shown");
}

test("U1 after sign-in, refresh and sign-out no secret is in any outcome, part or audit event", async (t) => {
  const begun = await start(t);
  const { world, host } = begun;
  const signedIn = await login(begun);
  await host.expire();
  const authorized = await host.authenticator.authorize({ signal: never() });
  const record = await host.stored();
  const signedOut = await host.logout();

  assert.equal(authorized.ok, true);
  const { authenticator, ports, server } = host;
  const shown = [signedIn, authorized, record, signedOut, authenticator, ports, server, host.audit.recorded];
  assertNoneIn(shown.map(printed).join("\n"), secretsOf(world));
  assert.deepEqual(
    host.audit.recorded.map(({ action }) => action),
    ["sign-in", "sign-out"],
  );
});

test("U9 secrets are in the file of their credential and in no other, nor in any name", async (t) => {
  const begun = await start(t);
  valueOf(await login(begun));
  const secrets = secretsOf(begun.world);

  const entries = await readdir(begun.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assertNoneIn(entries.map(({ name }) => name).join("\n"), secrets);
  const holding: string[] = [];
  for (const { parentPath, name } of files) {
    const text = await readFile(join(parentPath, name), "utf8");
    if (secrets.some((secret) => text.includes(secret))) holding.push(parentPath);
    // Code and verifier were for one use: nobody keeps them.
    assertNoneIn(text, [CODE, ...secrets.slice(4)]);
  }
  assert.deepEqual(holding, [join(begun.folder, "credentials")]);
});

const ECHO = `${CODE} ${ACCESS} ${REFRESH} ${CLIENT_SECRET}`;
const ANSWERS: readonly (readonly [status: number, body: unknown])[] = [
  [400, { error: "invalid_grant", error_description: ECHO, error_uri: `https://as.example/${CODE}` }],
  [400, { error: ECHO }],
  [401, { error: "invalid_client", error_description: ECHO }],
  [500, { message: ECHO }],
  [200, { access_token: ACCESS, token_type: ECHO }],
  [200, { access_token: `${ACCESS} ${CODE}`, token_type: "Bearer" }],
  [200, { access_token: ACCESS, token_type: "Bearer", expires_in: ECHO }],
  [200, { [ECHO]: ECHO }],
  [200, ECHO],
];

for (const [status, body] of ANSWERS) {
  const what = JSON.stringify(body).replaceAll(/(?:code|access|refresh|client)-5ecre7/g, "…");
  test(`U8b a token endpoint that answers ${status} ${what} puts nothing of it into the refusal`, async (t) => {
    const begun = await start(t);
    begun.world.answer("issuer", "/token", (response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });

    const refused = await login(begun);

    const shown = [refused, describeRefusal(authRefusalOf(refused)), begun.host.audit.recorded];
    assertNoneIn(shown.map(printed).join("\n"), secretsOf(begun.world));
    assert.equal(await begun.host.stored(), undefined);
  });
}
