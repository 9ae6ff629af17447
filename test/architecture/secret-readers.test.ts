import assert from "node:assert/strict";
import { test } from "node:test";

import { sourceFiles } from "./source-files.ts";

/** Where a `Secret` leaves for its destination. */
const REVEALERS = [
  // Into the owner-only record of a credential.
  "adapters/files/credential-store.ts",
  // Into the sealed file that keeps a sign-in between its two steps.
  "adapters/files/pending-sign-in.ts",
  // Into the owner-only file that a person named for a gateway's bearer.
  "adapters/files/token-file.ts",
  // To the proxy that the owner configured, as its authorization.
  "adapters/http-undici/proxy.ts",
  // Into the operating system's keychain.
  "adapters/keychain/credential-store.ts",
  // To the server that an authenticator belongs to, as the headers of one request.
  "adapters/mcp-sdk/http-authorization.ts",
  // To the authorization server: codes, verifiers, refresh tokens and what proves who the client is.
  "adapters/oauth4webapi/authorization-server.ts",
  "adapters/oauth4webapi/client-proof.ts",
  // A gateway's bearer, once, on the terminal of whoever started it.
  "composition/cli/serve-http.ts",
];

/** Where the values that a definition was materialised from are read. */
const MATERIAL_READERS = [
  // Admission: what is sent and what is started.
  "adapters/mcp-sdk/stdio-adapter.ts",
  "adapters/mcp-sdk/streamable-http.ts",
  // The URL and headers that are held against the rules before anybody approves them; only a closed reason comes out.
  "composition/cli/obstacle.ts",
  // The working folder and command that an approver is shown, and that a launch is compared with.
  "composition/cli/server-row.ts",
  // A headers helper's argument vector, compared with the host's list.
  "composition/flows/helper-launch.ts",
  "composition/flows/propose-approval.ts",
  "composition/host/carriers.ts",
  // The URL that is signed in to, where no secret is part of it.
  "composition/host/sign-in-parts.ts",
  // Fingerprint, projection and mask: each leaves secret stretches out.
  "domain/definition/fingerprint.ts",
  "domain/definition/known-secrets.ts",
  "domain/definition/projection.ts",
];

function callersOf(pattern: RegExp, files = sourceFiles()): readonly string[] {
  return files
    .filter(({ text }) => pattern.test(text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")))
    .map(({ path }) => path);
}

const REVEAL = /\.reveal\s*\(/;
const MATERIAL = /(?<!function |\.|static )\bmaterialOf\s*\(/;

test("D17 a secret gives itself up in the listed files alone", () => {
  assert.deepEqual(callersOf(REVEAL), REVEALERS);
});

test("D17 the values of a definition are read in the listed files alone", () => {
  assert.deepEqual(callersOf(MATERIAL), MATERIAL_READERS);
});

for (const [name, text, pattern] of [
  ["reveal", "log(token.reveal());", REVEAL],
  ["materialOf", "const { url } = materialOf(definition);", MATERIAL],
] as const) {
  test(`a planted caller of ${name} is seen, and one in a comment is not`, () => {
    const files = [
      { path: "domain/planted.ts", text, imports: [] },
      { path: "domain/comment.ts", text: `// ${text}\n/* ${text} */`, imports: [] },
    ];

    assert.deepEqual(callersOf(pattern, files), ["domain/planted.ts"]);
  });
}
