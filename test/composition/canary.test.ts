import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";

import { hostFolders, stdioEntry, type HostFolders } from "../kit/hosts.ts";
import { createTestServer } from "../kit/sdk-servers.ts";

/** A marker for each place a secret can stand in, so that a leak says where it came from. */
const MARKERS = {
  variable: "canary-a1f0-variable",
  envLiteral: "canary-b2e1-env-literal",
  headerLiteral: "canary-c3d2-header-literal",
  query: "canary-d4c3-query",
  argument: "canary-e5b4-argument",
  userinfo: "canary-f6a5-userinfo",
  brokenEntry: "canary-0796-broken-entry",
  callArgument: "canary-1887-call-argument",
  redirect: "canary-2978-redirect",
  ambient: "canary-3a69-ambient",
} as const;

const ENVIRONMENT = {
  CANARY_TOKEN: MARKERS.variable,
  CANARY_QUERY_KEY: MARKERS.query,
  CANARY_ARG_SECRET: MARKERS.argument,
  CANARY_AMBIENT: MARKERS.ambient,
};

interface Recorder {
  readonly url: string;
  /** Everything that came over the wire. */
  readonly heard: string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(t: TestContext, answer: Answer): Promise<Recorder> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, heard };
}

function sdkServer(t: TestContext): Promise<Recorder> {
  const handler = createMcpHandler(createTestServer);
  t.after(() => handler.close());
  const node = toNodeHandler(handler);
  // The package's own type forbids the explicit undefined that Node's declares.
  return listen(t, (request, response) => void node(request as Parameters<typeof node>[0], response));
}

/** Says every credential back in an error, as a careless server does. */
function tellTale(t: TestContext): Promise<Recorder> {
  return listen(t, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const message = `bad: ${request.headers.authorization} at ${request.url}`;
      const id: unknown = body === "" ? null : JSON.parse(body).id;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message, data: message } }));
    });
  });
}

function redirector(t: TestContext): Promise<Recorder> {
  return listen(t, (_, response) => {
    response.writeHead(302, { location: `https://elsewhere.example/${MARKERS.redirect}` }).end();
  });
}

interface World {
  readonly folders: HostFolders;
  readonly web: Recorder;
}

/** A workspace with a secret in every place that configuration has for one. */
async function markedWorld(t: TestContext): Promise<World> {
  const [web, tells, moves] = await Promise.all([sdkServer(t), tellTale(t), redirector(t)]);
  const bearer = { Authorization: "Bearer ${CANARY_TOKEN}", "X-Api-Key": MARKERS.headerLiteral };
  const query = "?key=${CANARY_QUERY_KEY}";
  const script = "console.error(process.env.API_TOKEN, ...process.argv.slice(1)); process.exit(3)";
  const env = { API_TOKEN: "${CANARY_TOKEN}", DB_PASSWORD: MARKERS.envLiteral };
  const folders = await hostFolders(t, {
    files: stdioEntry("everything", { env }),
    dies: { command: process.execPath, args: ["-e", script, "--", "--token", "${CANARY_ARG_SECRET}"], env },
    web: { url: `${web.url}${query}`, headers: bearer },
    tells: { url: `${tells.url}${query}`, headers: bearer },
    moves: { url: `${moves.url}${query}`, headers: bearer },
    userinfo: { url: `https://user:${MARKERS.userinfo}@example.com/mcp` },
    private: { url: `https://10.0.0.1/mcp${query}`, headers: bearer },
    gone: { url: `http://127.0.0.1:1/mcp${query}`, headers: bearer },
    reserved: { url: web.url, headers: { Cookie: MARKERS.headerLiteral } },
    malformed: { url: web.url, headers: { "X-Token": `a\nb${MARKERS.headerLiteral}` } },
    sse: { type: "sse", url: `${web.url}${query}`, headers: bearer },
    unset: { url: `${web.url}?key=\${NEVER_SET_ANYWHERE}`, headers: bearer },
    broken: { command: [MARKERS.brokenEntry], env, timeout: MARKERS.brokenEntry },
    secretful: { url: web.url, oauth: { clientId: "x", clientSecret: MARKERS.brokenEntry } },
    missing: { command: "no-such-program", args: ["--api-key", "${CANARY_ARG_SECRET}"] },
  });
  return { folders, web };
}

interface Ran {
  readonly code: number | null;
  readonly printed: string;
}

function runScript(path: string, args: readonly string[]): Promise<Ran> {
  const script = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...ENVIRONMENT, PATH, HOME },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, printed }));
  });
}

async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".mcp.json");
  const paths = files.map((file) => join(file.parentPath, file.name));
  return (await Promise.all(paths.map(async (path) => `${path}\n${await readFile(path, "utf8")}`))).join(
    "\n",
  );
}

/** The markers in a text, each with what stands around it. */
function leaks(text: string): readonly string[] {
  return Object.values(MARKERS).flatMap((marker) => {
    const at = text.indexOf(marker);
    return at === -1 ? [] : [text.slice(Math.max(0, at - 200), at + 60)];
  });
}

test("D17 no marked secret surfaces in anything that a whole host answers, prints, logs or writes", async (t) => {
  const { folders, web } = await markedWorld(t);

  const { code, printed } = await runScript("test/fixtures/canary/host.ts", [
    folders.workspace,
    folders.home,
    MARKERS.callArgument,
  ]);

  assert.deepEqual(leaks(printed), []);
  assert.deepEqual(leaks(await textOf(folders.home)), []);
  assert.deepEqual(leaks(await textOf(folders.workspace)), []);
  assert.equal(code, 0, printed.slice(-2_000));
  assert.match(printed, /the end\n$/);
  // The secrets did travel, to their own servers and nowhere else.
  const wire = web.heard.join("\n");
  assert.ok(wire.includes(`Bearer ${MARKERS.variable}`) && wire.includes(`key=${MARKERS.query}`));
  assert.match(printed, /call files__get-env answered \d{3}/);
  assert.match(printed, /call web__echo answered \d/);
  assert.match(printed, /stderr of dies .*\[redacted\]/);
});

test("X4 a started server gets the secrets of its own definition, and none of the host's environment", async (t) => {
  const { folders } = await markedWorld(t);
  await runScript("src/composition/cli.ts", command(folders, "trust", "--yes"));
  await runScript("src/composition/cli.ts", command(folders, "approve", "files", "--yes"));

  const { code, printed } = await runScript(
    "src/composition/cli.ts",
    command(folders, "call", "files__get-env", "{}"),
  );

  assert.equal(code, 0, printed);
  assert.ok(printed.includes(MARKERS.variable) && printed.includes(MARKERS.envLiteral));
  assert.ok(!printed.includes(MARKERS.ambient) && !printed.includes(MARKERS.query));
});

test("D17 no marked secret surfaces in what the command prints or writes as a process", async (t) => {
  const { folders } = await markedWorld(t);
  const verbs = [
    ["trust", "--yes"],
    ...["files", "web", "tells"].map((name) => ["approve", name, "--yes"]),
    ["list"],
    ["explain", "web", "--json"],
    ["tools", "--json"],
    ["call", "web__echo", JSON.stringify({ text: [MARKERS.callArgument] })],
    ["audit", "--json"],
  ];
  let printed = "";
  for (const verb of verbs)
    printed += (await runScript("src/composition/cli.ts", command(folders, ...verb))).printed;

  assert.deepEqual(leaks(printed), []);
  assert.deepEqual(leaks(await textOf(folders.home)), []);
  assert.match(printed, /"name": ?"web__echo"/);
});

function command({ workspace, home }: HostFolders, ...verb: readonly string[]): readonly string[] {
  const config = `project:${join(workspace, ".mcp.json")}`;
  return ["--workspace", workspace, "--home", home, "--config", config, ...verb];
}

test("D17 the search for markers is not blind", () => {
  assert.deepEqual(leaks(`before ${MARKERS.query} after`), [`before ${MARKERS.query} after`]);
});
