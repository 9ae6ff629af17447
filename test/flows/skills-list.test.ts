import assert from "node:assert/strict";
import { test } from "node:test";

import { createSession } from "../../src/composition/flows/session.ts";
import type { SkillsView } from "../../src/composition/flows/skills-view.ts";
import type { SkillEntry } from "../../src/domain/skills/skill.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, settle } from "../kit/fake-sessions.ts";
import {
  FORMS_URI,
  FRESH,
  LINES,
  OFFERS,
  openSkills,
  refusedAs,
  serving,
  SKILL_URI,
  type Serve,
} from "../kit/skill-world.ts";
import { listed, writtenSkill } from "../kit/skills.ts";

for (const [what, skills, protocolVersion, capabilities, missing] of [
  ["nobody asked for them", undefined, "2026-07-28", OFFERS, undefined],
  ["the older era was agreed on", LINES, "2025-11-25", OFFERS, "revision"],
  ["the server has none", LINES, "2026-07-28", new Map([["resources", {}]]), "extension"],
  ["the server has no resources", LINES, "2026-07-28", without("resources"), "resources"],
] as const) {
  test(`S1 where ${what} there is no view of skills, a diagnostic and no request`, () => {
    const era = protocolVersion === "2026-07-28" ? "modern" : "legacy";
    const peer = new FakePeer(() => ({}), { era, protocolVersion, capabilities });
    const selection = era === "modern" ? "2026-07-28" : "legacy";
    const session = createSession(peer, fakeSessionOptions({ selection, ...(skills && { skills }) }));

    assert.equal(session.skills, undefined);
    assert.deepEqual(
      session.compatibilityDiagnostics.filter(({ code }) => code === "skills-unavailable"),
      missing === undefined ? [] : [{ code: "skills-unavailable", missing }],
    );
    assert.deepEqual(peer.asked, []);
  });
}

function without(name: string): ReadonlyMap<string, unknown> {
  return new Map([...OFFERS].filter(([key]) => key !== name));
}

test("S1 C6 with all of it there is a view, no diagnostic of it, and no request for it", () => {
  const { session, asked } = openSkills(serving());

  const codes = new Set(session.compatibilityDiagnostics.map(({ code }) => code));
  assert.deepEqual([codes.has("skills-unavailable"), codes.has("extension-unselected")], [false, false]);
  assert.deepEqual(asked(), []);
});

test("S2 a list reads metadata alone and says whose each entry is", async () => {
  const { view, session, asked } = openSkills(serving());

  const listing = await view.list();

  assert.deepEqual(asked(), [["skills/list", {}]]);
  assert.equal(listing.identity, session.identity);
  assert.deepEqual(listing.rejected, []);
  assert.deepEqual(listing.state.complete, true);
  const [entry] = listing.skills;
  assert.deepEqual(
    [entry?.serverId, entry?.carrierGeneration, entry?.name, entry?.uri],
    ["s", session.identity.carrierGeneration, "refunds", SKILL_URI],
  );
});

test("S2 one entry that is malformed costs that entry, and a skill listed twice counts not at all", async () => {
  const twice = "skill://acme/twice/SKILL.md";
  const again = writtenSkill({
    uri: twice,
    frontmatter: { name: "twice", description: "d" },
    resources: "dynamic",
  });
  const bad = writtenSkill({ uri: "file:///etc/x\u202e/SKILL.md" });
  const { view } = openSkills(
    serving({ "skills/list": () => ({ skills: [again, bad, 7, writtenSkill(), again], ...FRESH }) }),
  );

  const { skills, rejected } = await view.list();

  assert.deepEqual(
    skills.map(({ uri }) => uri),
    [SKILL_URI],
  );
  assert.deepEqual(rejected, [
    { index: 0, reason: "duplicate", untrustedUri: twice },
    { index: 1, reason: "uri-malformed", untrustedUri: "file:///etc/x/SKILL.md" },
    { index: 2, reason: "not-an-object" },
    { index: 4, reason: "duplicate", untrustedUri: twice },
  ]);
});

/** One skill a page, without end. */
function endlessPages(): Serve {
  let page = 0;
  return () => {
    page += 1;
    const uri = `skill://p${page}/SKILL.md`;
    const skill = writtenSkill({
      uri,
      frontmatter: { name: `p${page}`, description: "d" },
      resources: "dynamic",
    });
    return { skills: [skill], nextCursor: `${page}`, ...FRESH };
  };
}

test("S2 a list ends after the pages that were asked for, and says that it is not all", async () => {
  for (const maxPages of [1, 2, 3]) {
    const { view, asked } = openSkills(serving({ "skills/list": endlessPages() }));

    const { skills, state, failure } = await view.list({ maxPages });

    assert.equal(asked().length, maxPages);
    assert.equal(skills.length, maxPages);
    assert.deepEqual([state.complete, failure?.refusal.reason], [false, "list-limit"]);
  }
});

test("S2 more pages than the session's bound cannot be asked for", async () => {
  const { view, asked } = openSkills(serving({ "skills/list": endlessPages() }));

  await view.list({ maxPages: 1_000 });

  assert.equal(asked().length, 50);
});

test("S2 no pages, half a page and NaN are a caller's bug, and ask nothing", async () => {
  const { view, asked } = openSkills(serving());
  for (const maxPages of [0, 1.5, Number.NaN, -1]) {
    await assert.rejects(view.list({ maxPages }), { code: "max-pages" });
  }
  assert.deepEqual(asked(), []);
});

test("S2 a server silent to a list is a timeout under the stage of the list", async () => {
  const { view, clock } = openSkills(() => new Promise(() => undefined));
  const listing = view.list();
  await settle();
  await clock.advance(1_000);

  const { failure, skills } = await listing;

  assert.deepEqual(skills, []);
  assert.deepEqual(failure?.refusal, {
    kind: "session",
    reason: "timeout",
    serverId: "s",
    stage: "list-skills",
    ended: "timeout",
  });
});

test("C3 a page of skills without its freshness is refused", async () => {
  const { view } = openSkills(serving({ "skills/list": () => ({ skills: [writtenSkill()] }) }));

  const { skills, failure } = await view.list();

  assert.deepEqual([skills, failure?.refusal.reason], [[], "invalid-response"]);
});

test("S2 get has one skill confirmed, listed or not", async () => {
  const { view, asked } = openSkills(serving());

  const got = await view.get(SKILL_URI);

  assert.deepEqual(asked(), [["skills/get", { uri: SKILL_URI }]]);
  assert.deepEqual(got.ok && got.value.uri, SKILL_URI);
  assert.equal((await view.read(entryOf(got), FORMS_URI)).ok, true);
});

function entryOf(got: Awaited<ReturnType<SkillsView["get"]>>): SkillEntry {
  if (!got.ok) throw new Error(got.refusal.refusal.reason);
  return got.value;
}

for (const uri of ["skill://refunds", "file:///refunds/SKILL.md", "skill://a/../refunds/SKILL.md", ""]) {
  test(`S2 get of ${JSON.stringify(uri)} is refused and asks nothing`, async () => {
    const { view, asked } = openSkills(serving());

    assert.deepEqual(await view.get(uri), refusedAs("uri-refused"));
    assert.deepEqual(asked(), []);
  });
}

test("S2 get refuses an entry that cannot be admitted and says why", async () => {
  const skill = writtenSkill({ resources: [listed("x.md", "x")] });
  const { view } = openSkills(serving({ "skills/get": () => ({ skill, ...FRESH }) }));

  assert.deepEqual(await view.get(SKILL_URI), {
    ok: false,
    refusal: {
      refusal: { kind: "skill", reason: "entry-refused", serverId: "s", entry: "skill-file-missing" },
    },
  });
});

test("S2 get refuses another skill than the one it asked for", async () => {
  const { view } = openSkills(serving());

  assert.deepEqual(await view.get("skill://acme/other/SKILL.md"), refusedAs("other-skill"));
});
