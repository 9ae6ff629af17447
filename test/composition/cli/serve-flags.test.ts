import assert from "node:assert/strict";
import { test } from "node:test";

import { parseCommandLine } from "../../../src/composition/cli/arguments.ts";
import type { ServeFlags } from "../../../src/composition/cli/serve-flags.ts";

const REMOTE = ["--public-url", "https://mcp.example/mcp", "--issuer", "https://issuer.example"];
const OPEN = [...REMOTE, "--scope", "mcp:use", "--client", "agent"];
const READ_REMOTE = {
  over: "remote",
  publicUrl: "https://mcp.example/mcp",
  issuer: "https://issuer.example",
  scopes: ["mcp:use"],
  subjects: [],
  clients: ["agent"],
  listen: { address: "127.0.0.1", port: 0 },
  trustedProxies: [],
} as const;

const READ: readonly (readonly [args: readonly string[], flags: ServeFlags])[] = [
  [[], { over: "stdio" }],
  [["--http"], { over: "loopback", port: 0 }],
  [["--http", "--port", "0"], { over: "loopback", port: 0 }],
  [["--http", "--port", "65535", "--token-file", "t"], { over: "loopback", port: 65_535, tokenFile: "t" }],
  [OPEN, READ_REMOTE],
  [
    [...REMOTE, "--scope", "a b", "--scope", "b", "--subject", "alice", "--subject", "bob"],
    { ...READ_REMOTE, scopes: ["a", "b"], subjects: ["alice", "bob"], clients: [] },
  ],
  [
    [...OPEN, "--listen", "0.0.0.0:8080", "--trusted-proxy", "10.0.0.1", "--trusted-proxy", "10.1.0.0/16"],
    {
      ...READ_REMOTE,
      listen: { address: "0.0.0.0", port: 8_080 },
      trustedProxies: ["10.0.0.1", "10.1.0.0/16"],
    },
  ],
  [[...OPEN, "--listen", "[::1]:1"], { ...READ_REMOTE, listen: { address: "::1", port: 1 } }],
];

for (const [args, flags] of READ) {
  test(`R11 "serve ${args.join(" ")}" is read`, () => {
    const parsed = parseCommandLine(["serve", ...args]);

    assert.deepEqual(parsed.ok && parsed.value.do === "run" && parsed.value.line.serve, flags);
  });
}

const REFUSED: readonly (readonly [args: readonly string[], said: RegExp])[] = [
  [["--http", ...OPEN], /--http and --public-url do not go together/],
  [["--port", "1"], /--port goes with --http/],
  [["--token-file", "t"], /--token-file goes with --http/],
  [[...OPEN, "--token-file", "t"], /--token-file goes with --http/],
  [["--issuer", "https://a.example"], /--issuer goes with --public-url/],
  [["--http", "--client", "a"], /--client goes with --public-url/],
  [["--http", "--listen", "0.0.0.0:1"], /--listen goes with --public-url/],
  [["--http", "--port", "65536"], /--port takes a number from 0 to 65535/],
  [["--http", "--port", "-1"], /--port/],
  [["--http", "--port", "1e3"], /--port takes/],
  [["--public-url", "https://a.example"], /needs --issuer/],
  [[...REMOTE, "--client", "a"], /needs --scope/],
  [[...REMOTE, "--scope", "a"], /needs --subject or --client/],
  [[...OPEN, "--scope", " "], /--scope takes scope tokens/],
  [[...OPEN, "--listen", "localhost:80"], /--listen takes ADDRESS:PORT/],
  [[...OPEN, "--listen", "127.1:80"], /--listen takes/],
  [[...OPEN, "--listen", "::1:80"], /--listen takes/],
  [[...OPEN, "--listen", "[127.0.0.1]:80"], /--listen takes/],
  [[...OPEN, "--listen", "127.0.0.1"], /--listen takes/],
  [[...OPEN, "--listen", "127.0.0.1:65536"], /--listen takes/],
  [["now"], /serve takes nothing/],
  [["--browser"], /there is no flag/],
];

for (const [args, said] of REFUSED) {
  test(`R11 "serve ${args.join(" ")}" is refused before anything is read`, () => {
    const parsed = parseCommandLine(["serve", ...args]);

    assert.match(parsed.ok ? "" : parsed.refusal, said);
  });
}

test("R11 flags of serve go with no other verb", () => {
  for (const flag of [
    "--http",
    "--port=1",
    "--token-file=t",
    "--public-url=x",
    "--subject=a",
    "--listen=x",
  ]) {
    const parsed = parseCommandLine(["list", flag]);

    assert.match(parsed.ok ? "" : parsed.refusal, /does not go with list/, flag);
  }
});

test("D17 what is wrong with a flag is told without its value", () => {
  const secret = "canary-value";
  for (const args of [
    ["--http", "--port", secret],
    [...OPEN, "--listen", secret],
    [...REMOTE, "--scope", `${secret}\u0001`, "--client", "a"],
  ]) {
    const parsed = parseCommandLine(["serve", ...args]);

    assert.ok(!parsed.ok && !parsed.refusal.includes(secret), args.join(" "));
  }
});
