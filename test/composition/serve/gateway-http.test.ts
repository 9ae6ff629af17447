import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { assertEventually } from "../../kit/child-groups.ts";
import { commandPlace } from "../../kit/commands.ts";
import { approve, ERAS, firstText, gatewayPlace, httpGateway, loopbackGateway } from "../../kit/gateways.ts";
import { startEverything } from "../../kit/sdk-servers.ts";

test("R11 clients of both eras share official servers of both carriers over loopback HTTP, each with its own answers", async (t) => {
  const place = await gatewayPlace(t, { web: { url: await startEverything(t) } });
  await approve(place, "web");
  const { url, token, stop } = await loopbackGateway(place);
  const gateways = await Promise.all(ERAS.map((era) => httpGateway(t, { url, token, era })));

  for (const { tools } of gateways) {
    const names = await tools();
    for (const name of ["everything__echo", "memory__read_graph", "files__list_directory", "web__echo"]) {
      assert.ok(names.includes(name), name);
    }
  }
  const echoes = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      pick(gateways, index % 2).text(pick(["everything__echo", "web__echo"], index % 3 === 0 ? 1 : 0), {
        message: `m${index}`,
      }),
    ),
  );
  assert.deepEqual(
    echoes,
    Array.from({ length: 12 }, (_, index) => `Echo: m${index}`),
  );
  await stop();
});

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  assert.ok(value !== undefined);
  return value;
}

test("R11 progress of a server reaches the client whose call it is", async (t) => {
  const { url, token } = await loopbackGateway(await gatewayPlace(t));
  const { client } = await httpGateway(t, { url, token, era: "modern" });
  const steps: number[] = [];
  const result = await client.callTool(
    { name: "everything__trigger-long-running-operation", arguments: { duration: 0.4, steps: 3 } },
    { onprogress: ({ progress }) => steps.push(progress) },
  );

  assert.match(firstText(result), /completed/);
  assert.deepEqual(steps.slice(0, 2), [1, 2]);
});

test("fault B7 the bearer is in its file alone, which goes with the gateway; nothing else opens it", async (t) => {
  const place = await gatewayPlace(t);
  const { url, token, tokenPath, stderr, stop } = await loopbackGateway(place);
  const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(url, { method: "POST", headers, body: "{}" });
  const refused = await Promise.all([
    ask({}),
    ask({ authorization: `Bearer ${"0".repeat(token.length)}` }),
    ask({ authorization: `Bearer ${token}`, origin: "https://evil.example" }),
  ]);
  for (const response of refused) await response.body?.cancel();

  assert.deepEqual(
    refused.map(({ status }) => status),
    [401, 401, 403],
  );
  assert.equal((await stat(tokenPath)).mode & 0o777, 0o600);
  const log = join(place.home, "audit.jsonl");
  for (const reason of ["no-token", "wrong-token", "origin"]) {
    const said = `"${reason}/loopback"`;
    await assertEventually(() => readFileSync(log, "utf8").includes(said), `${reason} is not in the log`);
  }

  await stop();
  await assert.rejects(stat(tokenPath), { code: "ENOENT" });
  assert.ok(!stderr().includes(token));
  for (const name of await readdir(place.home, { recursive: true })) {
    const path = join(place.home, name);
    if ((await stat(path)).isFile()) assert.ok(!(await readFile(path, "utf8")).includes(token), name);
  }
});

test("M6 without a terminal and without a file for the bearer nothing is served", async (t) => {
  const place = await commandPlace(t, {});
  const ran = await place.run(["serve", "--http"]);

  assert.deepEqual([ran.code, ran.stdout], [2, ""]);
  assert.match(ran.stderr, /name a new file for it with --token-file\n$/);
});

test("R4 a file that is there is not taken for the bearer, and a port that is taken is said", async (t) => {
  const place = await commandPlace(t, {});
  const path = join(place.workspace, "mine");
  await writeFile(path, "mine");
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  t.after(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;

  const [there, taken] = await Promise.all([
    place.run(["serve", "--http", "--token-file", "mine"]),
    place.run(["serve", "--http", "--token-file", "new", "--port", String(port)]),
  ]);
  assert.deepEqual([there.code, there.stdout, await readFile(path, "utf8")], [2, "", "mine"]);
  assert.match(there.stderr, /--token-file takes the name of a file that is not there yet/);
  assert.deepEqual([taken.code, taken.stdout], [2, ""]);
  assert.match(taken.stderr, /that port is taken/);
  await assert.rejects(stat(join(place.workspace, "new")), { code: "ENOENT" });
});
