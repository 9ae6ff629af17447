import assert from "node:assert/strict";
import { test } from "node:test";

import { maskArguments } from "../../../src/domain/definition/mask.ts";
import { hidesProgram } from "../../../src/domain/launch/hidden-program.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

/** Base64 that looks random, as code in it does. */
const CODE = "cmVxdWlyZSgnY2hpbGRfcHJvY2VzcycpLmV4ZWMoJ3g5UWE3Jyk7";

/** As an approver is shown the line: every literal in it is masked as in a projection. */
function hides(line: string): boolean {
  return hidesProgram(maskArguments(line.split(" ")));
}

const HIDDEN = [
  "npx --auth-key evil",
  "npx -y --auth-key evil",
  "npx --auth-key evil server",
  "npx --foo server --auth-key evil",
  "npx --registry https://r.example --auth-key evil",
  "npx -p server --auth-key evil",
  `npx ${TOKEN}`,
  `npx -y @scope/${TOKEN}`,
  `npx --package ${TOKEN} x`,
  "npx -y [redacted:AUTH_TOKEN]",
  "npx -y github:[redacted:AUTH_TOKEN]",
  "npx -- [redacted:AUTH_TOKEN]",
  "npm exec --auth-key evil",
  "npm exec -- [redacted:AUTH_TOKEN]",
  "pnpm dlx --token evil",
  "yarn dlx --token evil",
  "bunx --token evil",
  "bun x --token evil",
  "/usr/local/bin/npx --auth-key evil",
  "C:\\node\\NPX.cmd --auth-key evil",
  "docker run node npx --auth-key evil",
  `node ${TOKEN}`,
  "node --token evil.js",
  "python3.12 [redacted:KEY]",
  `uvx ${TOKEN}`,
  "uv tool run [redacted:KEY]",
  "uv run --token evil",
  `docker run -e A_TOKEN=zzz example/${TOKEN}`,
  `docker run -e A_TOKEN example/${TOKEN}`,
  "npm run --token evil",
  "node -e [redacted:AUTH_TOKEN]",
  `npx --package=${TOKEN} x`,
  `npx -y -p=${TOKEN} x`,
  `npm exec --package=${TOKEN} -- x`,
  `uvx --from=${TOKEN} x`,
  `uvx --with=${TOKEN} x`,
  `node --import=data:text/javascript;base64,${CODE} server.js`,
  `deno run --import-map=data:application/json;base64,${CODE} server.ts`,
  "node --eval=[redacted:AUTH_TOKEN]",
  `env node --import=data:text/javascript;base64,${CODE} server.js`,
  `env ${TOKEN}`,
  `env A=1 uvx ${TOKEN}`,
  `/usr/bin/env -i node ${TOKEN}`,
  `timeout 9 uvx ${TOKEN}`,
  `nice -n 5 python [redacted:KEY]`,
];

for (const line of HIDDEN) {
  test(`D16 M2 masking hides what \`${line.slice(0, 60)}\` runs`, () => {
    assert.equal(hides(line), true);
  });
}

const SHOWN = [
  "npx server --auth-key zzz",
  "npx -y @scope/server@1.2.3 --api-key zzz",
  "npx -y -q server --token [redacted:API_KEY]",
  "npx --yes mcp-remote https://h.example/mcp --header Authorization:[redacted]",
  `npx --registry=https://r.example server ${TOKEN}`,
  "npx --registry https://u:[redacted]@r.example -y server",
  "npx -p server -y tool --token zzz",
  "npx run --token zzz",
  "npm exec -- server --token zzz",
  "npm run start --token zzz",
  "pnpm dlx server --token zzz",
  "npx",
  "server --token zzz",
  "/opt/server --auth-key zzz",
  `server ${TOKEN}`,
  "node server.js --api-key zzz",
  "node --enable-source-maps dist/index.js --token zzz",
  "node --import ./x.js server.js --token zzz",
  "python -m server --token zzz",
  "uvx --from git+https://[redacted:GITHUB_TOKEN]@github.example/o/r server --token zzz",
  "uv --directory /srv run server.py --token zzz",
  "docker run -i --rm -e GITHUB_TOKEN=zzz example/server",
  "docker run -i --rm -e GITHUB_TOKEN example/server --token zzz",
  "uvx server --auth-key zzz",
  "npx --auth-key=zzz server",
  "npx --token=[redacted:API_KEY] server",
  "npx --registry=https://u:[redacted]@r.example server",
  `npx --package=server server --seed=${TOKEN}`,
  `npx server --package=${TOKEN}`,
  "docker run --env=GITHUB_TOKEN=zzz example/server",
  "docker run -eGITHUB_TOKEN=zzz example/server",
  "env GITHUB_TOKEN=zzz node server.js --token zzz",
  "env -i A=1 server --token zzz",
  "timeout 9 uvx server --token zzz",
  "server --runtime node --token zzz",
  "",
];

for (const line of SHOWN) {
  test(`D16 M2 what \`${line.slice(0, 60)}\` runs can be read`, () => {
    assert.equal(hides(line), false);
  });
}

test("D16 M2 masking hides what a whole line in one word runs", () => {
  for (const [wrapper, flag] of [
    ["env", "-S"],
    ["env", "--split-string"],
    ["/bin/sh", "-c"],
  ] as const) {
    assert.equal(hidesProgram(maskArguments([wrapper, flag, `A=1 npx ${TOKEN}`])), true);
    assert.equal(hidesProgram(maskArguments([wrapper, flag, "A=1 npx server --token zzz"])), false);
  }
  assert.equal(hidesProgram(maskArguments(["env", `--split-string=uvx ${TOKEN}`])), true);
});

for (const { words, masked, hidden } of [
  { words: 1_024, masked: true, hidden: false },
  { words: 1_025, masked: true, hidden: true },
  { words: 500_000, masked: true, hidden: true },
  { words: 500_000, masked: false, hidden: false },
]) {
  test(`D16 M2 a line of ${words} words with ${masked ? "something" : "nothing"} masked is ${hidden ? "hidden" : "read"}`, () => {
    const script = "a ".repeat(words - 3) + (masked ? "[redacted]" : "a");
    assert.equal(hidesProgram(["sh", "-c", script]), hidden);
  });
}

test("D16 M2 code in an argument can be read around what is masked in it", () => {
  assert.equal(hidesProgram(maskArguments(["node", "-e", `f("${TOKEN}")`])), false);
});
