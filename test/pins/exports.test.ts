import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as client from "../../src/composition/client.ts";
import * as decisions from "../../src/composition/index.ts";
import * as node from "../../src/composition/node.ts";
import * as server from "../../src/composition/server.ts";

/** What each entry point exports at run time; types are held by the packed consumer (test/packed). */
const ENTRY_POINTS = [
  [
    "sallyport",
    decisions,
    [
      "EgressError",
      "HostFault",
      "Secret",
      "accept",
      "activationSubject",
      "admitTarget",
      "applyOverlay",
      "catalogName",
      "coveredFields",
      "decideApproval",
      "describeRefusal",
      "escapeForDisplay",
      "fieldChanges",
      "formatOfPath",
      "judgeAddress",
      "maskCredentials",
      "matchActivation",
      "narrowSchema",
      "profileSchema",
      "projectServer",
      "refuse",
      "resolveServers",
    ],
  ],
  [
    "sallyport/client",
    client,
    [
      "McpConnectionSupervisor",
      "SESSION_DEFAULTS",
      "SUPERVISOR_DEFAULTS",
      "buildCatalog",
      "buildServerCatalog",
      "createAuthorizationServerClient",
      "createDiscoveredTool",
      "createHeadersHelperAuthenticator",
      "createOAuthAuthenticator",
      "createSchemaValidator",
      "createStdioAdapter",
      "createStreamableHttpAdapter",
      "credentialKeyOf",
      "decodeCallResult",
      "openMcpSession",
      "resultText",
      "runMcpClientCredentials",
      "runMcpOAuthLogin",
      "runMcpOAuthLogout",
    ],
  ],
  [
    "sallyport/server",
    server,
    [
      "McpServeError",
      "createAccessTokenVerifier",
      "createAgentMcpServer",
      "createMcpRequestHandler",
      "createMcpTransport",
    ],
  ],
  [
    "sallyport/node",
    node,
    [
      "HTTP_LIMITS",
      "McpHostError",
      "createExecutableFinder",
      "createFileApprovalStore",
      "createFileAuditLog",
      "createFileConfigSource",
      "createFileOAuthCredentialStore",
      "createFileOAuthRefreshLock",
      "createFilePendingSignInStore",
      "createFilePinStore",
      "createFileProbe",
      "createFileResultSpill",
      "createFileSignInSettings",
      "createFileWorkspaceRegistry",
      "createGatewaySession",
      "createHelperRunner",
      "createKeychainCredentialStore",
      "createMcpHost",
      "createMcpHttpHost",
      "createMcpRemoteHttpHost",
      "createMcpTransport",
      "createProcessRunner",
      "createRedirectReceiver",
      "createSystemAccessTokenVerifier",
      "createSystemClock",
      "createSystemRandom",
      "createSystemResolver",
      "createUndiciEgress",
    ],
  ],
] as const;

for (const [name, exported, names] of ENTRY_POINTS) {
  test(`${name} exports exactly the pinned names`, () => {
    assert.deepEqual(Object.keys(exported).toSorted(), names);
  });
}

test("the package has exactly the pinned entry points, one command and no other way in", () => {
  const { exports, bin, type, sideEffects } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );

  assert.deepEqual(Object.keys(exports), [".", "./client", "./server", "./node", "./package.json"]);
  assert.deepEqual(bin, { sallyport: "./dist/cli.mjs" });
  assert.deepEqual([type, sideEffects], ["module", false]);
});

test("the package depends on exactly the pinned packages", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

  assert.deepEqual(Object.keys(dependencies).toSorted(), [
    "@cfworker/json-schema",
    "@humanwhocodes/momoa",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "@noble/hashes",
    "env-paths",
    "fast-string-width",
    "ipaddr.js",
    "oauth4webapi",
    "proper-lockfile",
    "smol-toml",
    "undici",
    "valibot",
  ]);
});
