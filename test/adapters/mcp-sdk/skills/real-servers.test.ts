import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import type { Carrier } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import type { McpSession } from "../../../../src/composition/flows/mcp-session.ts";
import type { SkillsView } from "../../../../src/composition/flows/skills-view.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import type { SkillEntry } from "../../../../src/domain/skills/skill.ts";
import { hostileResult } from "../../../kit/hostile-skills.ts";
import { legacyScript, sendJson, startScriptedServer, type Script } from "../../../kit/http-mcp-server.ts";
import { httpCarrier, scriptCarrier, startSdkServer } from "../../../kit/sdk-servers.ts";
import { bigFile, createSkillServer } from "../../../kit/skill-servers.ts";

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/skills/${name}`, import.meta.url));
}

const hostile: Script = ({ body }, response) => {
  const { id, method = "", params = {} } = body ?? {};
  const result = hostileResult(method, params);
  const answer = result === undefined ? { error: { code: -32_601, message: "unknown" } } : { result };
  sendJson(response, { jsonrpc: "2.0", id, ...answer });
};

const TRANSPORTS: readonly (readonly [
  name: string,
  official: (t: TestContext) => Promise<Carrier>,
  hostile: (t: TestContext) => Promise<Carrier>,
])[] = [
  [
    "HTTP",
    async (t) => httpCarrier(t, await startSdkServer(t, createSkillServer)),
    async (t) => httpCarrier(t, (await startScriptedServer(t, hostile)).url),
  ],
  [
    "stdio",
    (t) => scriptCarrier(t, fixture("official-server.ts")),
    (t) => scriptCarrier(t, fixture("hostile-server.ts")),
  ],
];

const ON = { skills: true, protocolVersion: "2026-07-28" } as const;

async function open(
  t: TestContext,
  carrier: Carrier,
  {
    skills,
    protocolVersion,
  }: { readonly skills: boolean; readonly protocolVersion: "2026-07-28" | undefined } = ON,
): Promise<McpSession> {
  const opened = await openMcpSession({
    carrier,
    serverId: "real",
    ...(protocolVersion !== undefined && { protocolVersion }),
    skills,
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  t.after(() => opened.value.close());
  return opened.value;
}

function viewOf(session: McpSession): SkillsView {
  if (session.skills === undefined) throw new Error("no skills");
  return session.skills;
}

function named(skills: readonly SkillEntry[], name: string): SkillEntry {
  const found = skills.find((skill) => skill.name === name);
  if (found === undefined) throw new Error(`${name} is not listed`);
  return found;
}

test("C6 S1 in the older era skills are neither declared nor there, and said to need the newer one", async (t) => {
  const server = await startScriptedServer(t, legacyScript({ script: hostile }));

  const session = await open(t, httpCarrier(t, server.url), { skills: true, protocolVersion: undefined });

  const [initialize] = server.requests;
  assert.deepEqual(initialize?.body?.params?.["capabilities"], {});
  assert.equal(session.skills, undefined);
  assert.deepEqual(session.compatibilityDiagnostics.at(-1), {
    code: "skills-unavailable",
    missing: "revision",
  });
});

for (const [transport, official, hostileCarrier] of TRANSPORTS) {
  test(`S2 the skills of an official server are listed page by page over ${transport}`, async (t) => {
    const view = viewOf(await open(t, await official(t)));

    const { skills, rejected, state } = await view.list();

    assert.deepEqual(rejected, []);
    assert.deepEqual([state.complete, state.pages.length], [true, 2]);
    assert.deepEqual(
      skills.map(({ uri }) => uri),
      ["skill://acme/payments/SKILL.md", "skill://acme/refunds/SKILL.md"],
    );
    assert.deepEqual(named(skills, "refunds").untrustedFrontmatter, {
      name: "refunds",
      description: "Handles refunds: all of them",
      license: "MIT",
      metadata: { version: "2.1" },
      "allowed-tools": "a b c\n",
    });
  });

  test(`S3 S4 each file of it is read and verified over ${transport}, one above the cap of messages too`, async (t) => {
    const view = viewOf(await open(t, await official(t)));
    const entry = named((await view.list()).skills, "refunds");
    const files = entry.manifest.kind === "listed" ? entry.manifest.files : [];

    const read = await Promise.all(files.map(({ uri }) => view.read(entry, uri)));

    assert.deepEqual(
      read.map((one) => (one.ok ? one.value.uri : one.refusal.refusal)),
      [
        "skill://acme/refunds/SKILL.md",
        "skill://acme/refunds/assets/big.bin",
        "skill://acme/refunds/references/FORMS.md",
      ],
    );
    const big = read[1];
    assert.equal(big?.ok === true && Buffer.compare(big.value.bytes, bigFile()), 0);
  });

  test(`S2 a skill is confirmed by its URI over ${transport}, and one that is not there is refused`, async (t) => {
    const view = viewOf(await open(t, await official(t)));

    const got = await view.get("skill://acme/payments/SKILL.md");
    const missing = await view.get("skill://acme/nothing/SKILL.md");

    assert.equal(got.ok && got.value.name, "payments");
    const { kind, reason } = missing.ok ? { kind: "", reason: "" } : missing.refusal.refusal;
    assert.deepEqual([kind, reason], ["session", "protocol-error"]);
  });

  for (const skills of [true, false]) {
    test(`C6 S1 skills are ${skills ? "" : "not "}declared over ${transport} where they are ${skills ? "on" : "off"}`, async (t) => {
      const session = await open(t, await official(t), { ...ON, skills });

      const answer = await session.callTool("declared", {});

      const extension = "io.modelcontextprotocol/skills";
      assert.equal(JSON.stringify(answer).includes(extension), skills);
      assert.equal(session.skills !== undefined, skills);
    });
  }

  test(`S4 the cap of a plain read stays what it is over ${transport}`, async (t) => {
    const session = await open(t, await official(t));
    await viewOf(session).list();

    const read = await session.readResource("skill://acme/refunds/assets/big.bin");

    const { kind, reason } = read.ok ? { kind: "", reason: "" } : read.refusal.refusal;
    assert.deepEqual(
      [kind, reason],
      transport === "HTTP" ? ["session", "response-too-large"] : ["stdio", "receive-limit"],
    );
  });

  test(`S2 S4 what a hostile server lists is refused entry by entry over ${transport}`, async (t) => {
    const view = viewOf(await open(t, await hostileCarrier(t)));

    const { skills, rejected } = await view.list();

    assert.deepEqual(
      skills.map(({ name }) => name),
      ["digest", "size", "changed", "flood"],
    );
    assert.deepEqual(
      rejected.map(({ reason }) => reason),
      ["too-many-files", "too-large", "path-traversal", "file-outside"],
    );
  });

  for (const [name, path, reason] of [
    ["digest", "a.md", "digest-mismatch"],
    ["size", "a.md", "size-mismatch"],
    ["changed", "now-and-then.md", "digest-mismatch"],
    ["digest", "SKILL.md", "frontmatter-mismatch"],
  ] as const) {
    test(`S3 ${path} of the skill "${name}" of a hostile server is not handed over (${reason}) over ${transport}`, async (t) => {
      const view = viewOf(await open(t, await hostileCarrier(t)));
      const entry = named((await view.list()).skills, name);

      assert.deepEqual(await view.read(entry, `skill://${name}/${path}`), {
        ok: false,
        refusal: { refusal: { kind: "skill", serverId: "real", reason } },
      });
    });
  }

  test(`S4 an answer far above the size of its file is cut at the cap over ${transport}`, async (t) => {
    const view = viewOf(await open(t, await hostileCarrier(t)));
    const entry = named((await view.list()).skills, "flood");

    const read = await view.read(entry, "skill://flood/flood.md");

    const { kind, reason } = read.ok ? { kind: "", reason: "" } : read.refusal.refusal;
    assert.deepEqual(
      [kind, reason],
      transport === "HTTP" ? ["session", "response-too-large"] : ["stdio", "receive-limit"],
    );
  });
}
