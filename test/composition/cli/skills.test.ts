import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { skills } from "../../../src/composition/cli/skills.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside, type RanInside } from "../../kit/commands.ts";
import { hostFolders, type HostFolders } from "../../kit/hosts.ts";
import { hostileResult } from "../../kit/hostile-skills.ts";
import { sendJson, startScriptedServer, type ScriptedServer } from "../../kit/http-mcp-server.ts";
import { digestOf } from "../../kit/skills.ts";

const ROOT = "skill://acme/refunds";
const SKILL_MD = "---\nname: refunds\ndescription: Handles refunds\n---\n\nRead it \u26a0\ufe0f\r\n";
const FILES = new Map<string, string | Uint8Array>([
  ["SKILL.md", SKILL_MD],
  ["escape.md", "\u001b[31mred\n"],
  ["bytes.bin", Uint8Array.of(0xff, 0x00)],
]);
const FRESH = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

function entry(): unknown {
  const resources = [...FILES].map(([path, content]) => {
    return { uri: `${ROOT}/${path}`, digest: digestOf(content), size: Buffer.byteLength(content) };
  });
  const frontmatter = { name: "refunds", description: "Handles refunds" };
  return { uri: `${ROOT}/SKILL.md`, frontmatter, resources };
}

type Json = Readonly<Record<string, unknown>>;

function goodResult(method: string, params: Json): Json | undefined {
  const uri = String(params["uri"]);
  if (method === "skills/list") {
    const bad = { uri: "file:///\u001b[2J/SKILL.md" };
    return { ...FRESH, skills: [entry(), bad, { uri: "skill://a/a/SKILL.md" }, 7] };
  }
  if (method === "skills/get") {
    const frontmatter = { name: "hidden", description: "Not listed" };
    return { ...FRESH, skill: { uri, frontmatter, resources: "dynamic" } };
  }
  if (method !== "resources/read") return hostileResult(method, params);
  const content = FILES.get(uri.slice(ROOT.length + 1)) ?? "";
  const body =
    typeof content === "string" ? { text: content } : { blob: Buffer.from(content).toString("base64") };
  return { ...FRESH, contents: [{ uri, mimeType: "text/markdown", ...body }] };
}

interface Place extends HostFolders {
  readonly server: ScriptedServer;
  readonly run: (...args: readonly string[]) => Promise<RanInside>;
}

async function place(
  t: TestContext,
  answer: typeof goodResult = goodResult,
  fields: Json = { skills: true, protocolVersion: "2026-07-28" },
): Promise<Place> {
  const server = await startScriptedServer(t, ({ body }, response) => {
    const { id, method = "", params = {} } = body ?? {};
    const result = answer(method, params);
    const reply = result === undefined ? { error: { code: -32_601, message: "unknown" } } : { result };
    sendJson(response, { jsonrpc: "2.0", id, ...reply });
  });
  const folders = await hostFolders(t, { web: { url: server.url, ...fields } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  return { ...folders, server, run: (...args) => runInside(skills, folders, ["skills", ...args]) };
}

function methods({ requests }: ScriptedServer): readonly (string | undefined)[] {
  return requests.map(({ body }) => body?.method);
}

test("S2 the skills of a server are listed for a person, and no file of one is read", async (t) => {
  const { run, server } = await place(t);

  const { code, stdout, notes } = await run("web");

  const lines = stdout.split("\n");
  assert.deepEqual([code, notes], [0, []]);
  assert.deepEqual(lines.slice(0, 5), [
    `${ROOT}/SKILL.md`,
    "    Handles refunds",
    `    ${ROOT}/SKILL.md (${Buffer.byteLength(SKILL_MD)} bytes)`,
    `    ${ROOT}/escape.md (9 bytes)`,
    `    ${ROOT}/bytes.bin (2 bytes)`,
  ]);
  assert.match(lines[5] ?? "", /^ {4}content [0-9a-f]{64}$/);
  assert.deepEqual(lines.slice(6), [
    'rejected: "file:///[2J/SKILL.md" (uri-malformed)',
    'rejected: "skill://a/a/SKILL.md" (frontmatter-malformed)',
    "rejected: entry 3 (not-an-object)",
    "",
  ]);
  assert.deepEqual(methods(server), ["server/discover", "skills/list"]);
});

test("M5 skills --json is one document with exactly the pinned fields", async (t) => {
  const { run } = await place(t);

  const answer = JSON.parse((await run("web", "--json")).stdout);

  assert.deepEqual(Object.keys(answer), ["server", "complete", "skills", "rejected"]);
  const [skill] = answer.skills;
  assert.deepEqual(Object.keys(skill), [
    "uri",
    "name",
    "description",
    "frontmatter",
    "textChanges",
    "manifest",
    "contentFingerprint",
  ]);
  assert.deepEqual(Object.keys(skill.manifest), ["kind", "sizeBytes", "files"]);
  assert.deepEqual(Object.keys(skill.manifest.files[0]), ["uri", "path", "sizeBytes", "sha256"]);
  assert.deepEqual(answer.rejected, [
    { index: 1, uri: "file:///[2J/SKILL.md", reason: "uri-malformed" },
    { index: 2, uri: "skill://a/a/SKILL.md", reason: "frontmatter-malformed" },
    { index: 3, uri: null, reason: "not-an-object" },
  ]);
});

test("S3 a verified file is printed byte for byte", async (t) => {
  const { run } = await place(t);

  const { code, stdout, notes } = await run("web", `${ROOT}/SKILL.md`);

  assert.deepEqual([code, stdout, notes], [0, SKILL_MD, []]);
});

for (const [path, text, base64] of [
  ["escape.md", "\u001b[31mred\n", null],
  ["bytes.bin", null, "/wA="],
] as const) {
  test(`S3 ${path}, which a terminal would not show as it is, is printed by --json alone`, async (t) => {
    const { run } = await place(t);

    const plain = await run("web", `${ROOT}/${path}`);
    const json = await run("web", `${ROOT}/${path}`, "--json");

    assert.deepEqual([plain.code, plain.stdout, plain.notes.length], [2, "", 1]);
    assert.equal(json.stdout.includes("\u001b"), false);
    const content = FILES.get(path) ?? "";
    assert.deepEqual(JSON.parse(json.stdout), {
      server: "web",
      skill: `${ROOT}/SKILL.md`,
      uri: `${ROOT}/${path}`,
      sizeBytes: Buffer.byteLength(content),
      sha256: digestOf(content).slice("sha256:".length),
      mimeType: "text/markdown",
      text,
      base64,
    });
  });
}

test("S2 a skill that is not listed is asked for by its URI", async (t) => {
  const { run, server } = await place(t);

  const { code, notes } = await run("web", "skill://hidden/SKILL.md");

  assert.equal(code, 6);
  assert.match(notes.join("\n"), /generated anew each time/);
  assert.deepEqual(methods(server), ["server/discover", "skills/list", "skills/get"]);
});

for (const [what, uri, code, reason] of [
  ["is not listed", `${ROOT}/other.md`, 2, "file-unlisted"],
  ["is of no skill", "skill://other/x.md", 2, "uri-refused"],
  ["climbs out", `${ROOT}/../x.md`, 2, "file-unlisted"],
] as const) {
  test(`S3 a file that ${what} is refused without a read`, async (t) => {
    const { run, server } = await place(t);

    const ran = await run("web", uri, "--json");

    assert.equal(ran.code, code);
    assert.equal(JSON.parse(ran.stdout).error.reason, reason);
    assert.equal(methods(server).includes("resources/read"), false);
  });
}

for (const [name, path, reason] of [
  ["digest", "a.md", "digest-mismatch"],
  ["size", "a.md", "size-mismatch"],
  ["changed", "now-and-then.md", "digest-mismatch"],
] as const) {
  test(`S3 a file of a hostile server that does not verify (${name}) is not printed: ${reason}`, async (t) => {
    const { run } = await place(t, hostileResult);

    const plain = await run("web", `skill://${name}/${path}`);
    const json = await run("web", `skill://${name}/${path}`, "--json");

    assert.deepEqual([plain.code, plain.stdout], [6, ""]);
    assert.deepEqual(JSON.parse(json.stdout).error.reason, reason);
  });
}

test("S1 a server whose definition does not ask for skills is not contacted", async (t) => {
  const { run, server } = await place(t, goodResult, {});

  const { code, notes } = await run("web");

  assert.equal(code, 2);
  assert.match(notes.join("\n"), /"skills": true/);
  assert.deepEqual(server.requests, []);
});

test("S1 a server without skills is said to have none, and is asked for none", async (t) => {
  const bare: typeof goodResult = (method, params) =>
    method === "server/discover"
      ? { ...FRESH, supportedVersions: ["2026-07-28"], capabilities: { resources: {} } }
      : goodResult(method, params);
  const { run, server } = await place(t, bare);

  const { code, stdout } = await run("web", "--json");

  assert.equal(code, 2);
  assert.deepEqual(JSON.parse(stdout).error.reason, "unavailable");
  assert.deepEqual(methods(server), ["server/discover"]);
});

test("A3 S1 a server that is not approved is not contacted", async (t) => {
  const server = await startScriptedServer(t, (_request, response) => sendJson(response, {}));
  const fields = { skills: true, protocolVersion: "2026-07-28" };
  const folders = await hostFolders(t, { web: { url: server.url, ...fields } });

  const { code } = await runInside(skills, folders, ["skills", "web"]);

  assert.equal(code, 6);
  assert.deepEqual(server.requests, []);
});

test("S2 a list that cannot be read to its end is told, with what came before", async (t) => {
  const cut: typeof goodResult = (method, params) =>
    method === "skills/list" && params["cursor"] === undefined
      ? { ...goodResult(method, params), nextCursor: "2" }
      : method === "skills/list"
        ? undefined
        : goodResult(method, params);
  const { run } = await place(t, cut);

  const plain = await run("web");
  const answer = JSON.parse((await run("web", "--json")).stdout);

  assert.equal(plain.code, 4);
  assert.match(plain.stdout, /^skill:\/\/acme\/refunds\/SKILL\.md$/m);
  assert.match(plain.notes.join("\n"), /listing its skills/);
  assert.deepEqual(
    [answer.complete, answer.skills.length, answer.error.reason],
    [false, 1, "protocol-error"],
  );
});

test("S5 listing and reading skills writes nothing of them into Sallyport's home", async (t) => {
  const { run, home } = await place(t);
  const before = (await readdir(home, { recursive: true })).toSorted();

  await run("web");
  await run("web", `${ROOT}/SKILL.md`);

  assert.deepEqual((await readdir(home, { recursive: true })).toSorted(), before);
});
