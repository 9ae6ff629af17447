import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchesCode } from "../../../src/domain/launch/fetched-code.ts";

const FETCHING: readonly (readonly [command: string, ...args: string[]])[] = [
  ["npx", "-y", "@scope/server"],
  ["/usr/local/bin/npx", "server@1.2.3"],
  ["C:\\nodejs\\NPX.CMD", "server"],
  ["uvx", "server"],
  ["docker", "run", "-i", "image"],
  ["npm", "exec", "server"],
  ["npm", "--silent", "exec", "server"],
  ["pnpm", "dlx", "server"],
  ["bun", "x", "server"],
  ["uv", "tool", "run", "server"],
];

const OWN: readonly (readonly [command: string, ...args: string[]])[] = [
  ["node", "server.mjs"],
  ["/opt/npx-server"],
  ["npm", "start"],
  ["npm"],
  ["yarn", "start", "dlx"],
  ["python3", "-m", "server"],
];

test("M2 a command that runs what is published under a name is told from one that runs a file", () => {
  for (const [command, ...args] of FETCHING) assert.ok(fetchesCode(command, args), command);
  for (const [command, ...args] of OWN) assert.ok(!fetchesCode(command, args), command);
});
