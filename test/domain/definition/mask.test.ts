import assert from "node:assert/strict";
import { test } from "node:test";

import { maskArguments, maskCredentials } from "../../../src/domain/definition/mask.ts";

const RANDOM = "q7Rk2mZ9xW4bT1vL8nC3yH6dS5gJ0fPa";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU";

test("D16 known credential formats are masked", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"],
    ["x github_pat_11ABCDEFG0123456789abc y", "x [redacted] y"],
    [`sk-ant-${"x".repeat(20)}`, "[redacted]"],
    ["sk-abcdefghijklmnop12345", "[redacted]"],
    ["xoxb-1234567890-abc", "[redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    ["glpat-abcdefghij0123456789", "[redacted]"],
    [`token is ${JWT}.`, "token is [redacted]"],
    ["Bearer abc.def", "Bearer [redacted]"],
    ["authorization: bearer   x", "authorization: [redacted]   [redacted]"],
    ["Basic dXNlcjpwYXNz", "Basic [redacted]"],
    ["postgres://user:pa55@db.example/x", "postgres://user:[redacted]@db.example/x"],
    ["https://token@host.example/x", "https://[redacted]@host.example/x"],
    ["https://u:a@b@host.example/", "https://u:[redacted]@host.example/"],
    ["postgres://u:pa/ss@db.example/x", "postgres://u:[redacted]@db.example/x"],
    ["https://h/x?a=1&api_key=zzz&b=2", "https://h/x?a=1&api_key=[redacted]&b=2"],
    ["https://h/#access_token=zzz", "https://h/#access_token=[redacted]"],
    ["--token=zzz", "--token=[redacted]"],
    ["GITHUB_TOKEN=zzz", "GITHUB_TOKEN=[redacted]"],
    ['{"password": "zzz", "a": 1}', '{"password": "[redacted]", "a": 1}'],
    ['{"token":"zzz"}', '{"token":"[redacted]"}'],
    ["accessToken: zzz", "accessToken: [redacted]"],
    [RANDOM, "[redacted]"],
    [`${RANDOM}+/==`, "[redacted]"],
  ];
  for (const [text, masked] of rows) assert.equal(maskCredentials(text), masked, text);
});

test("D16 commits, digests, paths, URLs and package names stay readable", () => {
  const texts = [
    "0123456789abcdef0123456789abcdef01234567",
    "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
    "/Users/user/Desktop/mcp-playbook-dsfr/venv/bin/python3",
    "/home/Someone/Projects/MyCompany/ServerTools2/build/index.js",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "https://auth.example:8443/mcp/v1?project=abc&features=a%2Cb",
    "https://data-api.example/token/list",
    "npx -y sk-learn-tools-for-everybody-server",
    "--keyboard=de",
    "--port=8080",
    "http://127.0.0.1:3000/mcp",
    "https://registry.example/@scope/package",
    "12345678-1234-1234-1234-123456789012",
    "getUserAccountBalanceFromDatabaseConnection2",
    "key",
    "",
  ];
  for (const text of texts) assert.equal(maskCredentials(text), text);
});

test("D16 M2 an argument that calls something is shown to the approver, whatever name it begins with", () => {
  const shown = [
    "auth: process.exit(7)",
    "KEY=run(1),TOKEN=require('x')",
    "secret:1\nimport evil",
    "x?KEY=eval(a):0",
    "API_KEY=run`id`",
  ];
  for (const text of shown) assert.deepEqual(maskArguments(["-e", text]), ["-e", text]);
  assert.deepEqual(maskArguments(["-e", `f("${JWT}")`]), ["-e", 'f("[redacted]")']);
  assert.deepEqual(maskArguments(['{"password":"zzz"}']), ['{"password":"[redacted]"}']);
  assert.deepEqual(maskArguments(["--password", "a(b"]), ["--password", "[redacted]"]);
});

test("D16 the argument after a credential flag is masked", () => {
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ["--token", "zzz", "next"],
      ["--token", "[redacted]", "next"],
    ],
    [
      ["--api-key", "[redacted:API_KEY]"],
      ["--api-key", "[redacted:API_KEY]"],
    ],
    [
      ["--token", "--verbose"],
      ["--token", "--verbose"],
    ],
    [
      ["--header", "x-api-key:zzz"],
      ["--header", "x-api-key:[redacted]"],
    ],
    [
      ["-H", "Authorization: Bearer zzz"],
      ["-H", "Authorization:[redacted]"],
    ],
    [
      ["--keyboard", "de", "--port", "1"],
      ["--keyboard", "de", "--port", "1"],
    ],
    [
      ["token", "zzz"],
      ["token", "zzz"],
    ],
  ];
  for (const [args, masked] of rows) assert.deepEqual(maskArguments(args), masked);
});

/** Milliseconds of CPU that masking took, the best of three. */
function cpuOf(text: string): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    maskCredentials(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

test("D16 masking is linear on hostile text", () => {
  const pieces = [
    "a",
    "://",
    "://a:b",
    "://a:b/",
    "@",
    "?a=",
    "=",
    "Bearer ",
    " ",
    "eyJ",
    "eyJa.",
    "a:",
    '":',
    '"a":"',
    "token=",
    '--token="',
    "ghp_",
    "/",
    "aA1",
  ];
  for (const piece of pieces) {
    const small = cpuOf(piece.repeat(Math.ceil(10_000 / piece.length)));
    const large = cpuOf(piece.repeat(Math.ceil(80_000 / piece.length)));
    // Eight times the text may take eight times as long; quadratic work would take sixty-four times.
    assert.ok(large < 30 * Math.max(small, 4), `${JSON.stringify(piece)}: ${small} ms, ${large} ms`);
  }
});
