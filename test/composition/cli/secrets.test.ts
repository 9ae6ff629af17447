import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { audit } from "../../../src/composition/cli/audit.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import type { Command } from "../../../src/composition/cli/command.ts";
import { explain } from "../../../src/composition/cli/explain.ts";
import { list } from "../../../src/composition/cli/list.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside, type RanInside } from "../../kit/commands.ts";
import { hostFolders, stdioEntry } from "../../kit/hosts.ts";

const CANARY = "canary0123456789abcdef";

/** A loopback server that says every credential back in its error. */
async function tellTale(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { id } = body as { readonly id?: number };
      const message = `bad credential: ${request.headers.authorization} in ${request.url}`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
  return texts.join("\n");
}

test("D17 no secret of the configuration surfaces in any verb's answer, error or file", async (t) => {
  process.env["SALLYPORT_TEST_TOKEN"] = CANARY;
  t.after(() => delete process.env["SALLYPORT_TEST_TOKEN"]);
  const url = await tellTale(t);
  const variable = "${SALLYPORT_TEST_TOKEN}";
  const folders = await hostFolders(t, {
    files: stdioEntry("everything", { env: { API_TOKEN: variable, PLAIN: CANARY } }),
    broken: { command: "x", env: { API_KEY: CANARY }, timeout: CANARY },
    flags: { command: "no-such-program", args: ["--token", CANARY, `--x=${variable}`] },
    web: { url: `${url}?key=${variable}`, headers: { Authorization: `Bearer ${variable}` } },
    unset: { url: "https://x.test/", headers: { "X-Key": `\${NOT_SET_HERE}${CANARY}` } },
  });
  const run = (command: Command, ...args: readonly string[]): Promise<RanInside> =>
    runInside(command, folders, args);

  const runs = [await run(trust, "trust", "--yes")];
  for (const name of ["files", "web", "flags", "broken", "unset"]) {
    runs.push(
      await run(approve, "approve", name, "--yes", "--json"),
      await run(explain, "explain", name),
      await run(explain, "explain", name, "--json"),
    );
  }
  const said = await run(tools, "tools", "web");
  runs.push(
    said,
    await run(list, "list"),
    await run(list, "list", "--json"),
    await run(tools, "tools", "--json"),
    await run(call, "call", "files__echo", "{}", "--json"),
    await run(call, "call", "files__echo", `{"message": ${CANARY}`),
    await run(call, "call", "web__echo", `{"message": "${CANARY}"}`),
    await run(audit, "audit"),
    await run(audit, "audit", "--json"),
  );

  for (const { stdout, notes } of runs) {
    assert.doesNotMatch(stdout, new RegExp(CANARY));
    assert.doesNotMatch(notes.join("\n"), new RegExp(CANARY));
  }
  assert.doesNotMatch(await textOf(folders.home), new RegExp(CANARY));
  // The canary did travel: the server got it, and what it said back was masked.
  assert.match(
    said.notes.join("\n"),
    /web: the server says: bad credential: .*\[redacted\] in \/mcp\?key=\[redacted\]/,
  );
});
