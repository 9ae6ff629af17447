import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { assertEventually } from "../../kit/child-groups.ts";
import { commandPlace } from "../../kit/commands.ts";
import { ERAS, gatewayPlace, httpGateway, listeningGateway } from "../../kit/gateways.ts";
import { TEST_CERTIFICATE_PATH } from "../../kit/egress-world.ts";
import { startTlsProxy, trustingFetch } from "../../kit/tls-proxy.ts";
import { startTokenIssuer, type TokenIssuer } from "../../kit/token-issuer.ts";

const SCOPE = "mcp:use";

interface RemoteWorld {
  readonly home: string;
  readonly issuer: TokenIssuer;
  readonly url: string;
  readonly stderr: () => string;
  readonly stop: () => Promise<void>;
  /** The status, and what the challenge says, of a call without any meaning. */
  readonly ask: (authorization?: string) => Promise<readonly [status: number, challenge: string | null]>;
}

/** A real issuer, a proxy that ends TLS, and `sallyport serve` behind it. */
async function remoteWorld(t: TestContext, flags: readonly string[]): Promise<RemoteWorld> {
  const place = await gatewayPlace(t);
  const [issuer, proxy] = await Promise.all([startTokenIssuer(t, { tls: true }), startTlsProxy(t)]);
  const url = `${proxy.origin}/mcp`;
  const gateway = await listeningGateway(
    place,
    ["--public-url", url, "--issuer", issuer.issuer, "--scope", SCOPE, ...flags],
    { NODE_EXTRA_CA_CERTS: TEST_CERTIFICATE_PATH },
  );
  assert.equal(gateway.url, url);
  await assertEventually(() => gateway.port() > 0, "it does not say where it listens");
  proxy.target = { host: "127.0.0.1", port: gateway.port() };
  const ask: RemoteWorld["ask"] = async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await trustingFetch(url, { method: "POST", headers, body: "{}" });
    await response.body?.cancel();
    return [response.status, response.headers.get("www-authenticate")];
  };
  return { home: place.home, issuer, url, stderr: gateway.stderr, stop: gateway.stop, ask };
}

test("R11 clients of both eras call official servers over the network, with a token of a real issuer", async (t) => {
  const { issuer, url, stop, stderr } = await remoteWorld(t, ["--client", "agent"]);
  const token = await issuer.token({ resource: url, scope: SCOPE });

  for (const era of ERAS) {
    const gateway = await httpGateway(t, { url, token, era, fetch: trustingFetch });
    const names = await gateway.tools();
    assert.ok(names.includes("files__list_directory"), `${names.join()} ${stderr()}`);
    assert.equal(await gateway.text("everything__echo", { message: era }), `Echo: ${era}`);
  }
  await stop();
});

test("fault J13 fault J14 what is no token for this resource opens nothing, and says only what helps", async (t) => {
  const { home, issuer, url, stderr, ask } = await remoteWorld(t, ["--client", "agent"]);
  const metadata = `resource_metadata="${new URL(url).origin}/.well-known/oauth-protected-resource/mcp"`;
  const [none, broken, foreign, narrow] = [
    await ask(),
    await ask("Bearer canary-token"),
    await ask(`Bearer ${await issuer.token({ resource: "https://other.example/", scope: SCOPE })}`),
    await ask(`Bearer ${await issuer.token({ resource: url, scope: "mcp:other" })}`),
  ];

  assert.equal(none?.[0], 401);
  assert.ok(none?.[1]?.includes(metadata) === true && !none[1].includes("error="), String(none));
  assert.equal(broken?.[0], 401);
  assert.match(broken?.[1] ?? "", /error="invalid_token"/);
  assert.equal(foreign?.[0], 401);
  assert.equal(narrow?.[0], 403);
  assert.match(
    narrow?.[1] ?? "",
    /error="insufficient_scope".*scope="mcp:use"|scope="mcp:use".*error="insufficient_scope"/,
  );
  const log = (): string => readFileSync(join(home, "audit.jsonl"), "utf8");
  for (const reason of ["no-token", "token-malformed", "token-audience", "token-insufficient-scope"]) {
    await assertEventually(() => log().includes(`"${reason}/loopback"`), `${reason} is not in the log`);
  }
  assert.ok(!`${stderr()}${log()}`.includes("canary-token"));

  const document = await trustingFetch(`${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`);
  const described: unknown = await document.json();
  assert.ok(typeof described === "object" && described !== null && "resource" in described);
  assert.equal(described.resource, url);
});

test("R9 a token of somebody who is not on the list opens nothing", async (t) => {
  const { issuer, url, ask } = await remoteWorld(t, ["--client", "other", "--subject", "alice"]);

  assert.equal((await ask(`Bearer ${await issuer.token({ resource: url, scope: SCOPE })}`))[0], 401);
});

test("R9 an issuer that is gone is 503, and no fault of the token", async (t) => {
  const { issuer, url, ask } = await remoteWorld(t, ["--client", "agent"]);
  const token = await issuer.token({ resource: url, scope: SCOPE });
  await issuer.stop();

  assert.equal((await ask(`Bearer ${token}`))[0], 503);
});

const WRONG = [
  ["--public-url", ["--public-url", "http://mcp.example/mcp", "--issuer", "https://issuer.example"]],
  ["--issuer", ["--public-url", "https://mcp.example/mcp", "--issuer", "http://issuer.example"]],
  [
    "--trusted-proxy",
    [
      "--public-url",
      "https://mcp.example/mcp",
      "--issuer",
      "https://issuer.example",
      "--trusted-proxy",
      "proxy",
    ],
  ],
] as const;

for (const [flag, args] of WRONG) {
  test(`R5 a ${flag} that cannot be served under is one line, and nothing listens`, async (t) => {
    const place = await commandPlace(t, {});
    const ran = await place.run(["serve", ...args, "--scope", SCOPE, "--client", "agent"]);

    assert.deepEqual([ran.code, ran.stdout], [2, ""]);
    assert.match(ran.stderr, new RegExp(`^sallyport: ${flag} takes [^\n]+\n$`));
  });
}
