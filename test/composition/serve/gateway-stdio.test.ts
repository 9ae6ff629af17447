import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { assertEventually, assertProcessGone } from "../../kit/child-groups.ts";
import { commandPlace, ended } from "../../kit/commands.ts";
import { childrenOf, ERAS, firstText, gatewayPlace, servingPlace, stdioGateway } from "../../kit/gateways.ts";
import { stdioEntry } from "../../kit/hosts.ts";

for (const era of ERAS) {
  test(`R11 three official servers stand behind one stdio endpoint for a client of the ${era} era`, async (t) => {
    const place = await gatewayPlace(t);
    await writeFile(join(place.workspace, "note.txt"), "a note");
    const gateway = await stdioGateway(place, { era });

    assert.equal(gateway.client.getProtocolEra(), era);
    const tools = await gateway.tools();
    for (const name of ["everything__echo", "memory__read_graph", "files__read_text_file"]) {
      assert.ok(tools.includes(name), name);
    }
    assert.equal(await gateway.text("everything__echo", { message: "hi" }), "Echo: hi");
    assert.equal(await gateway.text("files__read_text_file", { path: "note.txt" }), "a note");
    const graph = await gateway.client.callTool({ name: "memory__read_graph", arguments: {} });
    assert.deepEqual(graph.structuredContent, { entities: [], relations: [] });
    const image = await gateway.client.callTool({ name: "everything__get-tiny-image", arguments: {} });
    assert.deepEqual(
      image.content.map(({ type }) => type),
      ["text", "image", "text"],
    );
    assert.equal(gateway.stderr(), "");

    await gateway.client.close();
    await assertProcessGone(gateway.pid);
  });
}

test("K5 a client's bad arguments are an error that says where, and reach no server", async (t) => {
  const gateway = await stdioGateway(await gatewayPlace(t), { era: "modern" });
  const result = await gateway.client.callTool({
    name: "everything__get-sum",
    arguments: { a: "x", b: 1 },
  });

  assert.equal(result.isError, true);
  assert.match(firstText(result), /"status":"invalid-arguments".*\/a: expected type number/);
});

test("K7 a result that is too large comes as its beginning, and all of it is had by the command", async (t) => {
  const place = await gatewayPlace(t);
  const text = "0123456789".repeat(6_000);
  await writeFile(join(place.workspace, "large.txt"), text);
  const { client } = await stdioGateway(place, { era: "modern" });
  const result = await client.callTool({ name: "files__read_text_file", arguments: { path: "large.txt" } });
  const [beginning, note] = result.content.map((block) => (block.type === "text" ? block.text : ""));
  const reference = /kept as ([0-9a-f]{32}):/.exec(note ?? "")?.[1] ?? "";
  const printed = await place.run(["result", reference]);

  assert.equal(beginning, text.slice(0, 2_000));
  assert.deepEqual([result.isError ?? false, result.structuredContent], [false, undefined]);
  assert.deepEqual([printed.code, printed.stdout], [0, `${text}\n`]);
});

test("R11 a form of a server is put to the client whose call raised it, and its answer goes back", async (t) => {
  const place = await gatewayPlace(t);
  const options = { capabilities: { elicitation: { form: {} } } };
  const gateway = await stdioGateway(place, { era: "legacy", options });
  const asked: string[] = [];
  gateway.client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "decline" };
  });
  const result = await gateway.client.callTool({
    name: "everything__trigger-elicitation-request",
    arguments: {},
  });

  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? "", /^everything asks: /);
  assert.match(firstText(result), /declined/i);
});

test("R2 a call that its client cancels ends alone: the other call of the same child goes on", async (t) => {
  const gateway = await stdioGateway(await gatewayPlace(t), { era: "legacy" });
  const { client } = gateway;
  const name = "everything__trigger-long-running-operation";
  const leaving = new AbortController();
  const begun = Promise.withResolvers<void>();
  const cancelled = client.callTool(
    { name, arguments: { duration: 60, steps: 600 } },
    { signal: leaving.signal, onprogress: () => begun.resolve() },
  );
  const steps: number[] = [];
  const staying = client.callTool(
    { name, arguments: { duration: 1, steps: 4 } },
    { onprogress: ({ progress }) => steps.push(progress) },
  );
  await begun.promise;
  leaving.abort("enough");

  await assert.rejects(cancelled);
  assert.match(firstText(await staying), /Long running operation completed/);
  // The official client may drop the last one, which comes together with the result.
  assert.deepEqual(steps.slice(0, 3), [1, 2, 3]);
  assert.equal(await gateway.text("everything__echo", { message: "still here" }), "Echo: still here");
});

test("A6b a server that somebody revokes elsewhere is gone from the list, and its client is told", async (t) => {
  const place = await gatewayPlace(t);
  const told = Promise.withResolvers<void>();
  const gateway = await stdioGateway(place, {
    era: "legacy",
    options: {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => told.resolve() } },
    },
  });
  assert.ok((await gateway.tools()).includes("memory__read_graph"));
  await place.run(["revoke", "memory"]);
  await told.promise;

  const names = await gateway.tools();
  assert.ok(!names.includes("memory__read_graph") && names.includes("everything__echo"));
  const late = await gateway.client.callTool({ name: "memory__read_graph", arguments: {} });
  assert.equal(late.isError, true);
  await assertEventually(
    () => /memory is not configured or not approved any more/.test(gateway.stderr()),
    "not said",
  );
});

test("R11 what is down, and what nobody approved, is said on stderr and costs nobody else", async (t) => {
  const place = await gatewayPlace(t, {
    broken: { command: process.execPath, args: ["-e", "console.error('why'); process.exit(3)"] },
    new: stdioEntry("memory"),
  });
  await place.run(["approve", "broken", "--yes", "--allow-shell"]);
  const gateway = await stdioGateway(place, { era: "modern" });
  const names = await gateway.tools();

  assert.ok(names.includes("everything__echo") && !names.some((name) => /^(broken|new)_/.test(name)));
  await assertEventually(() => /not served: broken: /.test(gateway.stderr()), "not said");
  assert.match(gateway.stderr(), /and so not served: new; see sallyport list/);
});

test("R3 nothing but frames is on stdout, and the end of the input ends gateway and servers with 0", async (t) => {
  const place = await gatewayPlace(t, { gone: { command: "no-such-program" } });
  const child = place.start(["serve"]);
  const lines: string[] = [];
  const answered = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (lines.length === 3) answered.resolve();
  });
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "raw", version: "1" };
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  send({ id: 3, method: "tools/call", params: { name: "everything__get-env", arguments: {} } });
  await answered.promise;
  const servers = childrenOf(child.pid ?? 0);
  const ran = ended(child);
  child.stdin.end();
  const { code, signal } = await ran;

  assert.deepEqual([code, signal], [0, null]);
  const frames = lines.map((line): { readonly jsonrpc?: unknown; readonly id?: unknown } => JSON.parse(line));
  assert.deepEqual(
    frames
      .map(({ jsonrpc, id }) => [jsonrpc, id])
      .toSorted(([, one], [, other]) => Number(one) - Number(other)),
    [1, 2, 3].map((id) => ["2.0", id]),
  );
  assert.equal(servers.length, process.platform === "linux" ? 3 : 0);
  for (const pid of servers) await assertProcessGone(pid);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`R11 ${signal} ends the gateway by that signal, without a word, while its servers still start`, async (t) => {
    const place = await gatewayPlace(t);
    const child = place.start(["serve"]);
    const frame = { jsonrpc: "2.0", id: 1, method: "ping" };
    child.stdin.write(`${JSON.stringify(frame)}\n`);
    await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    const ran = ended(child);
    child.kill(signal);
    const { code, signal: by, stderr } = await ran;

    assert.deepEqual([code, by, stderr], [null, signal, ""]);
  });
}

test("M6 a gateway without any approved server serves an empty list, asks nobody and says why", async (t) => {
  const place = await servingPlace(t, { memory: stdioEntry("memory") });
  const gateway = await stdioGateway(place, { era: "legacy" });

  assert.deepEqual(await gateway.tools(), []);
  assert.match(
    gateway.stderr(),
    /^sallyport: not approved or not usable, and so not served: memory; see sallyport list\n$/,
  );
});

test("R11 a configuration that was named and cannot be read starts nothing", async (t) => {
  const place = await commandPlace(t, {});
  const ran = await place.run(["serve", "--config", "user:missing.json"]);

  assert.deepEqual([ran.code, ran.stdout], [2, ""]);
});
