import assert from "node:assert/strict";
import { test } from "node:test";

import { skillReceiveLimitBytes } from "../../src/domain/skills/skill.ts";
import { settle } from "../kit/fake-sessions.ts";
import {
  FORMS_URI,
  FRESH,
  onlyEntry,
  openSkills,
  reading,
  refusedAs,
  serving,
  SKILL_URI,
  type Serve,
  type SkillWorld,
} from "../kit/skill-world.ts";
import { listed, SKILL_ROOT, SKILL_TEXT, writtenSkill } from "../kit/skills.ts";

function protocolError(): ReturnType<Serve> {
  return {
    ok: false,
    refusal: {
      refusal: {
        kind: "session",
        reason: "protocol-error",
        serverId: "s",
        stage: "get-skill",
        code: -32_602,
      },
    },
  };
}

test("S3 a listed file is read by its SKILL_URI and handed over as bytes", async () => {
  const { view, asked, peer } = openSkills(serving());
  const entry = await onlyEntry(view);

  const read = await view.read(entry, FORMS_URI);

  assert.deepEqual(read.ok && [read.value.uri, Buffer.from(read.value.bytes).toString()], [
    FORMS_URI,
    "forms\n",
  ]);
  assert.deepEqual(asked().slice(1), [["resources/read", { uri: FORMS_URI }]]);
  assert.equal(peer.asked[1]?.options.receiveLimitBytes, skillReceiveLimitBytes(6));
});

test("S4 only a skill's read asks for the larger cap", async () => {
  const { view, peer, session } = openSkills(serving());
  const entry = await onlyEntry(view);
  await view.get(SKILL_URI);
  await view.read(entry, FORMS_URI);
  await session.readResource(FORMS_URI);
  await session.callTool("t", {});

  assert.deepEqual(
    peer.asked.map(({ method, options }) => [method, options.receiveLimitBytes]),
    [
      ["skills/list", undefined],
      ["skills/get", undefined],
      // The entry was out of date by then.
      ["resources/read", undefined],
      ["tools/call", undefined],
    ],
  );
});

test("S3 a file is found however its name is escaped, and asked for as the manifest spells it", async () => {
  const resources = [listed("SKILL.md", SKILL_TEXT), listed("Q%26A.md", "forms\n")];
  const { view, asked } = openSkills(
    serving({ "skills/list": () => ({ skills: [writtenSkill({ resources })], ...FRESH }) }),
  );
  const entry = await onlyEntry(view);

  assert.equal((await view.read(entry, `${SKILL_ROOT}/Q&A.md`)).ok, true);
  assert.deepEqual(asked()[1], ["resources/read", { uri: `${SKILL_ROOT}/Q%26A.md` }]);
});

for (const fileUri of [
  `${SKILL_ROOT}/other.md`,
  `${SKILL_ROOT}/references/../../other/SKILL.md`,
  `${SKILL_ROOT}/references/%2e%2e/SKILL.md`,
  "file:///etc/passwd",
  "skill://acme/other/SKILL.md",
  "references/FORMS.md",
  "",
]) {
  test(`S3 a file ${JSON.stringify(fileUri)} that the manifest does not list is not asked for`, async () => {
    const { view, asked } = openSkills(serving());
    const entry = await onlyEntry(view);

    assert.deepEqual(await view.read(entry, fileUri), refusedAs("file-unlisted"));
    assert.equal(asked().length, 1);
  });
}

test("S3 nothing of a dynamic skill is read", async () => {
  const { view, asked } = openSkills(
    serving({ "skills/list": () => ({ skills: [writtenSkill({ resources: "dynamic" })], ...FRESH }) }),
  );
  const entry = await onlyEntry(view);

  assert.deepEqual(entry.manifest, { kind: "dynamic" });
  assert.deepEqual(await view.read(entry, SKILL_URI), refusedAs("manifest-dynamic"));
  assert.equal(asked().length, 1);
});

test("S3 an entry that this view did not give is refused, a copy of its own one too", async () => {
  const { view, asked } = openSkills(serving());
  const other = openSkills(serving());
  const entry = await onlyEntry(view);

  for (const foreign of [await onlyEntry(other.view), { ...entry }]) {
    assert.deepEqual(await view.read(foreign, FORMS_URI), refusedAs("entry-foreign"));
  }
  assert.equal(asked().length, 1);
});

const REFRESHES: readonly (readonly [what: string, refresh: (world: SkillWorld) => unknown])[] = [
  ["another list", ({ view }) => view.list()],
  ["a get of the same skill", ({ view }) => view.get(SKILL_URI)],
  ["a renewed connection", ({ peer }) => peer.renew({})],
  ["another version of the server", ({ peer }) => peer.renew({ serverInfo: { name: "fake", version: "2" } })],
];

for (const [what, refresh] of REFRESHES) {
  test(`S3 after ${what} an older entry is refused and nothing is read`, async () => {
    const world = openSkills(serving());
    const entry = await onlyEntry(world.view);
    await refresh(world);
    const before = world.asked().length;

    assert.deepEqual(await world.view.read(entry, FORMS_URI), refusedAs("entry-stale"));
    assert.equal(world.asked().length, before);
  });

  test(`S3 bytes that arrive after ${what} are dropped`, async () => {
    const { promise, resolve: arrive } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    const world = openSkills(
      serving({
        "resources/read": () => promise.then((value) => ({ ok: true, value })),
      }),
    );
    const entry = await onlyEntry(world.view);
    const read = world.view.read(entry, FORMS_URI);
    await settle();
    await refresh(world);
    arrive(reading(FORMS_URI, "forms\n"));

    assert.deepEqual(await read, refusedAs("entry-stale"));
  });
}

test("S3 a skill that a later list does not name any more takes its entry along", async () => {
  let isListed = true;
  const { view, asked } = openSkills(
    serving({ "skills/list": () => ({ skills: isListed ? [writtenSkill()] : [], ...FRESH }) }),
  );
  const entry = await onlyEntry(view);
  isListed = false;
  await view.list();

  assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs("entry-stale"));
  assert.equal(asked().length, 2);
});

test("S3 a get of another skill, a list that failed and a failed get leave an entry as it is", async () => {
  let isDown = false;
  const down: Serve = (asked) => {
    const stage = asked.options.stage;
    return isDown
      ? {
          ok: false,
          refusal: { refusal: { kind: "session", reason: "response-lost", serverId: "s", stage } },
        }
      : serving()(asked);
  };
  const { view } = openSkills(serving({ "skills/list": down, "skills/get": down }));
  const entry = await onlyEntry(view);
  await view.get("skill://acme/other/SKILL.md");
  isDown = true;
  await view.list();
  await view.get(SKILL_URI);

  assert.equal((await view.read(entry, FORMS_URI)).ok, true);
});

test("S3 a server that does not know a skill any more takes its entry along", async () => {
  const { view } = openSkills(serving({ "skills/get": protocolError }));
  const entry = await onlyEntry(view);

  const got = await view.get(SKILL_URI);

  assert.deepEqual(got.ok ? undefined : got.refusal.refusal.reason, "protocol-error");
  assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs("entry-stale"));
});

const UNVERIFIED: readonly (readonly [reason: string, answer: Readonly<Record<string, unknown>>])[] = [
  ["size-mismatch", reading(FORMS_URI, "forms")],
  ["digest-mismatch", reading(FORMS_URI, "farms\n")],
  ["contents-malformed", { contents: [], ...FRESH }],
  ["contents-malformed", reading(SKILL_URI, "forms\n")],
];

for (const [reason, answer] of UNVERIFIED) {
  test(`S3 a file that does not verify (${reason}) is refused, and its entry with it`, async () => {
    const { view } = openSkills(serving({ "resources/read": () => answer }));
    const entry = await onlyEntry(view);

    assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs(reason));
    assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs("entry-stale"));
  });
}

test("C3 a read of a skill without its freshness is refused", async () => {
  const { view } = openSkills(
    serving({ "resources/read": () => ({ contents: [{ uri: FORMS_URI, text: "forms\n" }] }) }),
  );

  const read = await view.read(await onlyEntry(view), FORMS_URI);

  assert.deepEqual(read.ok ? undefined : read.refusal.refusal.reason, "invalid-response");
});

test("S3 a changed entry object changes nothing of what is checked", async () => {
  const { view } = openSkills(serving({ "resources/read": () => reading(FORMS_URI, "evil!\n") }));
  const entry = await onlyEntry(view);

  assert.throws(() => Object.assign(entry, { manifest: { kind: "dynamic" } }));
  const [, file] = entry.manifest.kind === "listed" ? entry.manifest.files : [];
  assert.throws(() => Object.assign(file ?? {}, { sha256: "0".repeat(64) }));
  assert.throws(() => Object.assign(entry.manifest, { files: [] }));
  assert.throws(() =>
    Object.assign(entry.manifest.kind === "listed" ? entry.manifest.files : {}, { 1: file }),
  );
  assert.throws(() => Object.assign(entry.untrustedRawFrontmatter, { description: "other" }));
  assert.throws(() => Object.assign(entry.untrustedFrontmatter, { description: "other" }));
  assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs("digest-mismatch"));
});

test("S3 a SKILL.md that says of itself what the entry said is handed over", async () => {
  const { view } = openSkills(serving());

  const read = await view.read(await onlyEntry(view), SKILL_URI);

  assert.deepEqual(read.ok && Buffer.from(read.value.bytes).toString(), SKILL_TEXT);
});

for (const [what, text] of [
  ["another description", SKILL_TEXT.replace("Handles refunds", "Sends me all keys")],
  ["one more field", SKILL_TEXT.replace("---\n\n", "license: MIT\n---\n\n")],
  ["no frontmatter", "Do it well.\n"],
  ["a frontmatter without an end", SKILL_TEXT.replace("---\n\n", "\n\n")],
] as const) {
  test(`S3 a SKILL.md with ${what} is refused although its digest is right`, async () => {
    const resources = [listed("SKILL.md", text)];
    const { view } = openSkills(
      serving({
        "skills/list": () => ({ skills: [writtenSkill({ resources })], ...FRESH }),
        "resources/read": () => reading(SKILL_URI, text),
      }),
    );

    assert.deepEqual(await view.read(await onlyEntry(view), SKILL_URI), refusedAs("frontmatter-mismatch"));
  });
}

test("S3 a SKILL.md that is no UTF-8 is refused although its digest is right", async () => {
  const bytes = Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff);
  const { view } = openSkills(
    serving({
      "skills/list": () => ({ skills: [writtenSkill({ resources: [listed("SKILL.md", bytes)] })], ...FRESH }),
      "resources/read": () => ({
        contents: [{ uri: SKILL_URI, blob: Buffer.from(bytes).toString("base64") }],
        ...FRESH,
      }),
    }),
  );

  assert.deepEqual(await view.read(await onlyEntry(view), SKILL_URI), refusedAs("frontmatter-mismatch"));
});

test("S3 a SKILL.md of a skill inside the skill is a file like any other", async () => {
  const nested = "---\nname: inner\ndescription: another\n---\n";
  const resources = [listed("SKILL.md", SKILL_TEXT), listed("inner/SKILL.md", nested)];
  const { view } = openSkills(
    serving({
      "skills/list": () => ({ skills: [writtenSkill({ resources })], ...FRESH }),
      "resources/read": ({ params }) => reading(String(params["uri"]), nested),
    }),
  );

  assert.equal((await view.read(await onlyEntry(view), `${SKILL_ROOT}/inner/SKILL.md`)).ok, true);
});

test("S3 an abort of a read rejects with its reason", async () => {
  const { view } = openSkills(serving({ "resources/read": () => new Promise(() => undefined) }));
  const entry = await onlyEntry(view);
  const reason = new Error("enough");
  const control = new AbortController();
  const read = view.read(entry, FORMS_URI, { signal: control.signal });
  await settle();
  control.abort(reason);

  await assert.rejects(read, reason);
});

test("S5 a plain read of a SKILL.md is a resource: it gives no entry and makes none current", async () => {
  const { view, session, asked } = openSkills(serving());
  const entry = await onlyEntry(view);
  await view.list();

  const read = await session.readResource(SKILL_URI);

  assert.deepEqual(read.ok && read.value.result, {
    contents: reading(SKILL_URI, SKILL_TEXT)["contents"],
    ...FRESH,
  });
  assert.deepEqual(await view.read(entry, FORMS_URI), refusedAs("entry-stale"));
  assert.deepEqual(
    asked().map(([method]) => method),
    ["skills/list", "skills/list", "resources/read"],
  );
});

test("S5 an entry and a file hold data and nothing that could be run or granted", async () => {
  const { view } = openSkills(serving());
  const entry = await onlyEntry(view);
  const read = await view.read(entry, FORMS_URI);

  assert.deepEqual(structuredClone(entry), { ...entry });
  assert.deepEqual(read.ok && structuredClone(read.value), read.ok && read.value);
});
