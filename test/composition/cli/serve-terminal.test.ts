import assert from "node:assert/strict";
import { test } from "node:test";

import { parseCommandLine } from "../../../src/composition/cli/arguments.ts";
import { serve } from "../../../src/composition/cli/serve.ts";
import { hostFolders } from "../../kit/hosts.ts";

test("fault B7 without a file the bearer is one line on the terminal that somebody watches, and opens the gateway", async (t) => {
  const { workspace, home } = await hostFolders(t, {});
  const parsed = parseCommandLine([`--workspace=${workspace}`, `--home=${home}`, "serve", "--http"]);
  assert.ok(parsed.ok && parsed.value.do === "run");
  const ending = new AbortController();
  const notes: string[] = [];
  const listening = Promise.withResolvers<string>();
  const ended = serve({
    line: parsed.value.line,
    output: {
      answer: (text) => listening.resolve(text),
      note: (line) => void notes.push(line),
      flush: async () => true,
    },
    person: () => assert.fail("a gateway asks nobody"),
    openPage: () => assert.fail("a gateway opens no page"),
    readInput: () => assert.fail("over HTTP nothing is read from standard input"),
    watched: true,
    signal: ending.signal,
  });
  const url = (await Promise.race([listening.promise, ended.then(() => "")])).trim();
  const said = notes.flatMap((note) => /bearer token, shown this once: (\S+)$/.exec(note)?.[1] ?? []);
  const call = (token: string): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
  const [token = ""] = said;
  const [taken, refused] = [await call(token), await call(`${token}x`)];
  await taken.body?.cancel();
  await refused.body?.cancel();
  ending.abort();

  assert.equal(said.length, 1);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  assert.deepEqual([taken.status, refused.status, await ended], [200, 401, 0]);
});
