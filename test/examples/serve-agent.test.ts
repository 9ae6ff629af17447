import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";

import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { ROOT } from "../architecture/source-files.ts";
import { clientOf, type Era, ERAS } from "../kit/served-clients.ts";

const PROGRAM = "examples/serve-agent/main.ts";

async function connect(t: TestContext, era: Era, decisions: readonly string[]): Promise<Client> {
  const client = clientOf(era, { capabilities: { elicitation: { form: {} } } });
  const left = [...decisions];
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { decision: left.shift() ?? "" },
  }));
  t.after(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM], cwd: ROOT }));
  return client;
}

for (const era of ERAS) {
  test(`R3 the example serves its agent to a ${era} client over real pipes, and deletes only with a yes`, async (t) => {
    const client = await connect(t, era, ["deny", "allow-once"]);
    const call = { name: "note.delete", arguments: { name: "today" } };

    const { tools } = await client.listTools();
    const turn = await client.callTool({ name: "agent_submit", arguments: { prompt: "hi" } });
    const denied = await client.callTool(call);
    const allowed = await client.callTool(call);

    assert.deepEqual(
      tools.map(({ name }) => name),
      ["note.read", "note.delete", "agent_submit"],
    );
    assert.deepEqual(turn.content, [{ type: "text", text: "You said: hi" }]);
    assert.match(JSON.stringify(denied.content), /permission-required/);
    assert.match(JSON.stringify(allowed.content), /Deleted\./);
  });
}

test("R3 the example ends by itself when its input ends, having written nothing", async (t) => {
  const child = spawn(process.execPath, [PROGRAM], { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  let written = "";
  child.stdout.on("data", (chunk: Buffer) => (written += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (written += chunk.toString("utf8")));
  // A first frame, so that the session is being served when the input ends.
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(child.stdout, "data");
  child.stdin.end();

  const [code] = await once(child, "close");

  assert.deepEqual([code, written], [0, '{"result":{},"jsonrpc":"2.0","id":1}\n']);
});

test("R3 the example ends when nobody reads its output any more", async (t) => {
  const child = spawn(process.execPath, [PROGRAM], { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  child.stderr.resume();
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(child.stdout, "data");
  child.stdout.destroy();
  const writing = setInterval(() => child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n'), 20);
  t.after(() => clearInterval(writing));
  child.stdin.on("error", () => undefined);

  const [code] = await once(child, "exit");

  assert.equal(code, 0);
});
