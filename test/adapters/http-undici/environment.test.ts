import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { answer, startHttp, startHttps, startTcp } from "../../kit/egress-world.ts";

const CHILD = fileURLToPath(new URL("environment-child.ts", import.meta.url));

async function inEnvironment(env: NodeJS.ProcessEnv, urls: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, ...urls], { env });
  return stdout.trim().split("\n");
}

test("E6 proxy variables of the environment are never read (D13, D14)", async (t) => {
  const server = await startHttp(t, answer("hello"));
  const secure = await startHttps(t, answer("hello"));
  const decoy = await startTcp(t, (socket) => void socket.destroy());
  const proxy = `http://127.0.0.1:${decoy.port}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NPM_CONFIG_PROXY", "GLOBAL_AGENT_HTTP_PROXY"];
  const env = Object.fromEntries(
    names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, proxy]),
  );
  const printed = await inEnvironment(
    { ...env, NODE_USE_ENV_PROXY: "1", NO_PROXY: "", TEST_ALLOW: `allowed.test:${secure.port}` },
    [
      `http://127.0.0.1:${server.port}/`,
      `http://localhost:${server.port}/`,
      `https://allowed.test:${secure.port}/`,
    ],
  );
  // The last one is reached too, and then fails at the certificate that this child does not trust.
  assert.deepEqual(printed, ["200", "200", "tls"]);
  assert.equal(decoy.connections, 0);
  assert.equal(server.hits.length, 2);
  assert.equal(secure.connections, 1);
});

test("E6 the environment cannot turn the check of certificates off", async (t) => {
  const server = await startHttps(t, answer("hello"));
  const printed = await inEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, [
    `https://127.0.0.1:${server.port}/`,
  ]);
  assert.deepEqual(printed, ["tls"]);
  assert.equal(server.hits.length, 0);
});
