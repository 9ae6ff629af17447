import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { assertEventually } from "../../kit/child-groups.ts";
import { inspector, mcporter, mcpRemote, type ForeignCall, type Way } from "../../kit/foreign-clients.ts";
import { gatewayPlace, listeningGateway, loopbackGateway } from "../../kit/gateways.ts";
import type { CommandPlace } from "../../kit/commands.ts";
import { TEST_CERTIFICATE_PATH } from "../../kit/egress-world.ts";
import { startTlsProxy } from "../../kit/tls-proxy.ts";
import { startTokenIssuer } from "../../kit/token-issuer.ts";

const CLIENTS: readonly (readonly [name: string, call: ForeignCall])[] = [
  ["MCP Inspector", inspector],
  ["mcporter", mcporter],
  ["mcp-remote", mcpRemote],
];

for (const [name, call] of CLIENTS.slice(0, 2)) {
  test(`R11 ${name} calls a tool of an official server through the gateway over stdio`, async (t) => {
    const place = await gatewayPlace(t);

    assert.match(await call(t, { place, way: { over: "stdio" } }), /Echo: hi/);
  });
}

async function assertAllCall(t: TestContext, place: CommandPlace, way: Way): Promise<void> {
  for (const [name, call] of CLIENTS) assert.match(await call(t, { place, way }), /Echo: hi/, name);
}

test("R11 MCP Inspector, mcporter and mcp-remote call through the gateway on loopback with its bearer", async (t) => {
  const place = await gatewayPlace(t);
  const { url, token } = await loopbackGateway(place);

  await assertAllCall(t, place, { over: "http", url, token });
});

test("R11 MCP Inspector, mcporter and mcp-remote call over the network with a token of a real issuer", async (t) => {
  const place = await gatewayPlace(t);
  const [issuer, proxy] = await Promise.all([startTokenIssuer(t, { tls: true }), startTlsProxy(t)]);
  const url = `${proxy.origin}/mcp`;
  const environment = { NODE_EXTRA_CA_CERTS: TEST_CERTIFICATE_PATH };
  const gateway = await listeningGateway(
    place,
    ["--public-url", url, "--issuer", issuer.issuer, "--scope", "mcp:use", "--client", issuer.clientId],
    environment,
  );
  await assertEventually(() => gateway.port() > 0, "it does not say where it listens");
  proxy.target = { host: "127.0.0.1", port: gateway.port() };
  const token = await issuer.token({ resource: url, scope: "mcp:use" });

  await assertAllCall(t, place, { over: "http", url, token, environment });
});
