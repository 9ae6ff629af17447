import assert from "node:assert/strict";
import { once } from "node:events";
import { openSync } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { spawn } from "node:child_process";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { VERSION } from "../../../src/composition/cli/version.ts";
import { assertProcessGone } from "../../kit/child-groups.ts";
import { approveByCommand, commandPlace, ended, type Ran } from "../../kit/commands.ts";
import { stdioEntry } from "../../kit/hosts.ts";
import { startEverything } from "../../kit/sdk-servers.ts";

function outcome({ code, stdout, stderr }: Ran): object {
  return { code, stdout, stderr };
}

test("M5 the main job over stdio: nothing before the approval, one call after it, nothing after its end", async (t) => {
  const place = await commandPlace(t, { everything: stdioEntry("everything"), memory: stdioEntry("memory") });

  const early = await place.run(["call", "everything__echo", '{"message":"hi"}']);
  await approveByCommand(place, "everything", "memory");
  const listed = await place.run(["tools", "--json"]);
  const called = await place.run(["call", "everything__get-sum", "--arg", "a=2", "--arg", "b=3"]);
  const piped = await place.run(["call", "everything__echo", "-"], { input: '{"message":"piped"}' });
  await place.run(["revoke", "everything"]);
  const late = await place.run(["call", "everything__echo", '{"message":"hi"}']);

  assert.deepEqual([early.code, early.stdout], [6, ""]);
  const document = JSON.parse(listed.stdout);
  assert.deepEqual(document.servers, [
    { name: "everything", state: "connected", era: "legacy" },
    { name: "memory", state: "connected", era: "legacy" },
  ]);
  const names = new Set(document.tools.map(({ name }: { name: string }) => name));
  assert.ok(names.has("everything__echo") && names.has("memory__read_graph"));
  assert.deepEqual(outcome(called), { code: 0, stdout: "The sum of 2 and 3 is 5.\n", stderr: "" });
  assert.deepEqual(outcome(piped), { code: 0, stdout: "Echo: piped\n", stderr: "" });
  assert.deepEqual([late.code, late.stdout], [6, ""]);
  assert.match(late.stderr, /^sallyport: .*revoked; to give it again: sallyport approve everything\n$/);
});

test("M5 the main job over loopback HTTP", async (t) => {
  const place = await commandPlace(t, { web: { url: await startEverything(t) } });
  await approveByCommand(place, "web");

  const called = await place.run(["call", "web__echo", '{"message":"hi"}']);

  assert.deepEqual(outcome(called), { code: 0, stdout: "Echo: hi\n", stderr: "" });
});

test("M5 help and version are answers; a bad command line is one line on stderr and 2", async (t) => {
  const place = await commandPlace(t, {});
  const { version } = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));

  const [help, versioned, unknown, flag] = await Promise.all([
    place.run(["--help"]),
    place.run(["--version"]),
    place.run(["frobnicate"]),
    place.run(["list", "--frobnicate"]),
  ]);

  assert.match(help?.stdout ?? "", /^Usage: sallyport /);
  assert.deepEqual(outcome(versioned), { code: 0, stdout: `${version}\n`, stderr: "" });
  assert.equal(VERSION, version);
  for (const ran of [unknown, flag]) {
    assert.deepEqual([ran.code, ran.stdout], [2, ""]);
    assert.match(ran.stderr, /^sallyport: [^\n]+\n$/);
  }
});

test("M5 a missing file, broken JSON and a broken place are one line and 2, and nothing is started", async (t) => {
  const place = await commandPlace(t, { everything: stdioEntry("everything") });
  const broken = join(place.workspace, "broken.json");
  await writeFile(broken, "{");

  const runs = await Promise.all([
    place.run(["tools", "--config", "user:missing.json"]),
    place.run(["call", "everything__echo", "--config", `user:${broken}`]),
    place.run(["list", "--config", "nobody:x.json"]),
    place.run(["call", "everything__echo", "{"]),
    place.run(["list", "--workspace", "no-such-folder"]),
  ]);

  for (const ran of runs) {
    assert.deepEqual([ran.code, ran.stdout], [2, ""], ran.stderr);
    assert.match(ran.stderr, /^sallyport: [^\n]+\n$/);
  }
});

test("M6 without a terminal approving asks nobody, waits for nobody and writes nothing", async (t) => {
  const place = await commandPlace(t, { everything: stdioEntry("everything") });
  await place.run(["trust", "--yes"]);

  const ran = await place.run(["approve", "everything"], { input: "y\ny\n" });

  assert.deepEqual([ran.code, ran.stdout], [6, ""]);
  assert.match(
    ran.stderr,
    /no terminal to ask at; to say yes beforehand: sallyport approve everything --yes\n$/,
  );
  await assert.rejects(access(join(place.home, "approvals.json")));
});

test("M1 a folder that holds Sallyport's home is no workspace by default, and cannot be made one", async (t) => {
  const place = await commandPlace(t, {});
  const inside = join(place.workspace, "home");
  await mkdir(inside, { mode: 0o700 });
  await writeFile(join(inside, "mcp.json"), JSON.stringify({ mcpServers: { mine: { command: "x" } } }));
  await writeFile(
    join(place.workspace, ".mcp.json"),
    JSON.stringify({ mcpServers: { theirs: { command: "x" } } }),
  );

  const byDefault = await place.run(["list", "--json", "--home", inside]);
  const named = await place.run(["list", "--home", inside, "--workspace", place.workspace]);

  assert.equal(byDefault.code, 0);
  assert.deepEqual(
    JSON.parse(byDefault.stdout).servers.map(({ name }: { name: string }) => name),
    ["mine"],
  );
  assert.match(byDefault.stderr, /not used as a workspace/);
  assert.deepEqual([named.code, named.stdout], [2, ""]);
});

test("X6 Ctrl-C during a call ends the server and then the command, by that signal", async (t) => {
  const told = await tellingUrl(t);
  const place = await commandPlace(t, {
    slow: { command: process.execPath, args: [fileURLToPath(fixtureUrl("called-server.ts")), told.url] },
  });
  await approveByCommand(place, "slow");
  const child = place.start(["call", "slow__never", "{}"]);
  child.stdin.end();
  const pid = Number(await told.first);

  child.kill("SIGINT");
  const ran = await ended(child);

  assert.deepEqual([ran.code, ran.signal, ran.stdout], [null, "SIGINT", ""]);
  assert.match(ran.stderr, /^sallyport: [^\n]*whether it took effect is unknown[^\n]*\n$/);
  await assertProcessGone(pid);
});

test("X6 Ctrl-C while a server does not answer ends the command without waiting for it", async (t) => {
  const silent = createServer();
  const asked = once(silent, "request");
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    silent.closeAllConnections();
    return new Promise<void>((resolve) => silent.close(() => resolve()));
  });
  const place = await commandPlace(t, {
    silent: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp` },
  });
  await approveByCommand(place, "silent");
  const child = place.start(["tools"]);
  child.stdin.end();
  const [request] = await asked;
  const closed = once(request.socket, "close");

  child.kill("SIGINT");
  const ran = await ended(child);
  await closed;

  assert.deepEqual([ran.code, ran.signal, ran.stdout], [null, "SIGINT", ""]);
  assert.equal(ran.stderr, "sallyport: interrupted\n");
});

test("D17 a fault of the machine is one line with its code, without path, message or stack, and 1", async (t) => {
  const place = await commandPlace(t, {});
  await mkdir(join(place.home, "audit.jsonl"), { recursive: true, mode: 0o700 });

  const ran = await place.run(["audit"]);

  assert.deepEqual([ran.code, ran.stdout], [1, ""]);
  assert.match(
    ran.stderr,
    /^sallyport: something went wrong that should not have \(audit-failed\); [^\n/]*\n$/,
  );
});

test("X6 the second Ctrl-C ends the command at once, whatever still runs", async (t) => {
  const child = spawn(process.execPath, [fileURLToPath(fixtureUrl("listens-for-end.ts"))]);
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  const said: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (line: string) => {
    said.push(line);
    child.kill("SIGINT");
  });

  assert.deepEqual(await closed, [130, null]);
  assert.deepEqual(said, ["listening\n", "asked to end\n"]);
});

test("M5 a reader that leaves early gets no stack, and the code stays that of the answer", async (t) => {
  const servers = Array.from({ length: 400 }, (_, index) => [`s${index}`, { command: "word ".repeat(100) }]);
  const place = await commandPlace(t, Object.fromEntries(servers));
  const child = place.start(["list", "--json"]);
  child.stdin.end();

  await once(child.stdout, "data");
  child.stdout.destroy();
  const stderr = child.stderr.setEncoding("utf8").toArray();
  const [code] = await once(child, "close");

  assert.deepEqual([code, (await stderr).join("")], [0, ""]);
});

test("M5 an answer longer than any pipe's buffer arrives whole", async (t) => {
  const servers = Array.from({ length: 400 }, (_, index) => [`s${index}`, { command: "word ".repeat(100) }]);
  const place = await commandPlace(t, Object.fromEntries(servers));

  const ran = await place.run(["list", "--json"]);

  assert.ok(ran.stdout.length > 200_000);
  assert.equal(JSON.parse(ran.stdout).servers.length, 400);
});

// The device is Linux's own.
if (process.platform === "linux") {
  test("M5 an answer that a full disk took is not a success", async (t) => {
    const place = await commandPlace(t, {});
    const cli = fileURLToPath(new URL("../../../src/composition/cli.ts", import.meta.url));
    const child = spawn(process.execPath, [cli, "list", "--json", "--home", place.home], {
      cwd: place.workspace,
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    const stderr = child.stderr?.setEncoding("utf8").toArray();
    const [code] = await once(child, "close");

    assert.equal(code, 1);
    assert.equal((await stderr)?.join(""), "sallyport: the answer could not be written\n");
  });
}

test("M5 the help and the list load no library that talks to servers, and no width of letters that have one cell", async (t) => {
  const place = await commandPlace(t, { files: { command: "x" } });
  const wide = await commandPlace(t, { 日本: { command: "x" } });
  const spy = fixtureUrl("loaded-modules.mjs");
  const environment = { NODE_OPTIONS: `--import=${spy}` };

  const [help, list, json, other] = await Promise.all([
    place.run(["--help"], { environment }),
    place.run(["list"], { environment }),
    place.run(["list", "--json"], { environment }),
    wide.run(["list"], { environment }),
  ]);

  const heavy =
    /\/node_modules\/(@modelcontextprotocol|undici|fast-string-width|ipaddr\.js|proper-lockfile|@cfworker|oauth4webapi)\/|node:perf_hooks/;
  assert.deepEqual([help.code, list.code, json.code, other.code], [0, 0, 0, 0]);
  assert.match(list.stderr, /\/composition\/cli\/list\.ts\n/);
  assert.doesNotMatch(help.stderr, /\/node_modules\//);
  assert.doesNotMatch(list.stderr, heavy);
  assert.doesNotMatch(json.stderr, heavy);
  assert.match(other.stderr, /\/node_modules\/fast-string-width\//);
});

function fixtureUrl(name: string): string {
  return new URL(`../../fixtures/command/${name}`, import.meta.url).href;
}

/** A loopback URL, and the body of the first request to it. */
async function tellingUrl(
  t: TestContext,
): Promise<{ readonly url: string; readonly first: Promise<string> }> {
  const server = createServer();
  const first = once(server, "request").then(async ([request, response]) => {
    const body = await text(request);
    response.end();
    return body;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, first };
}
