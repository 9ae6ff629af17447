import { createSession } from "../../src/composition/flows/session.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import type { SkillsView } from "../../src/composition/flows/skills-view.ts";
import type { SkillEntry } from "../../src/domain/skills/skill.ts";
import type { SkillFrontmatter } from "../../src/ports/skill-frontmatter.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakePeer, type Asked } from "./fake-peer.ts";
import { fakeSessionOptions } from "./fake-sessions.ts";
import { SKILL_ROOT, SKILL_TEXT, writtenSkill } from "./skills.ts";

/** Of the SKILL.md of {@link writtenSkill}. */
export const SKILL_URI: string = `${SKILL_ROOT}/SKILL.md`;
/** Of its other file. */
export const FORMS_URI: string = `${SKILL_ROOT}/references/FORMS.md`;
/** What a server with skills declares. */
export const OFFERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["resources", {}],
  ["extensions", { "io.modelcontextprotocol/skills": {} }],
]);
export const FRESH = { ttlMs: 0, cacheScope: "private" } as const;

/** Reads lines of `key: value`, as a parser of YAML would. */
export const LINES: SkillFrontmatter = {
  read: async (head, name) => {
    const [first, ...lines] = head.split("\n");
    if (first !== "---" || lines.pop() !== "" || lines.pop() !== "---") return undefined;
    const read: Readonly<Record<string, unknown>> = Object.fromEntries(lines.map((line) => line.split(": ")));
    return read["name"] === name && read["description"] !== undefined ? read : undefined;
  },
};

/** A session in 2026-07-28 over a fake peer with skills. */
export interface SkillWorld {
  readonly session: McpSession;
  readonly view: SkillsView;
  readonly peer: FakePeer;
  readonly clock: FakeClock;
  /** Every request so far. */
  readonly asked: () => readonly (readonly [method: string, params: unknown])[];
}

export type Serve = (asked: Asked) => ReturnType<ConstructorParameters<typeof FakePeer>[0]>;

export function openSkills(serve: Serve): SkillWorld {
  const identity = { era: "modern", protocolVersion: "2026-07-28", capabilities: OFFERS } as const;
  const peer = new FakePeer(serve, identity);
  const clock = new FakeClock();
  const session = createSession(peer, fakeSessionOptions({ clock, selection: "2026-07-28", skills: LINES }));
  const { skills: view } = session;
  if (view === undefined) throw new Error("no skills");
  const asked = (): ReturnType<SkillWorld["asked"]> =>
    peer.asked.map(({ method, params }) => [method, params]);
  return { session, view, peer, clock, asked };
}

/** A server with one good skill, and what a test makes of its answers. */
export function serving(answers: Readonly<Record<string, Serve>> = {}): Serve {
  return (asked) => {
    const other = answers[asked.method];
    if (other !== undefined) return other(asked);
    const uri = String(asked.params["uri"]);
    if (asked.method === "skills/list") return { skills: [writtenSkill()], ...FRESH };
    if (asked.method === "skills/get") return { skill: writtenSkill(), ...FRESH };
    return reading(uri, uri === SKILL_URI ? SKILL_TEXT : "forms\n");
  };
}

export function reading(uri: string, text: string): Readonly<Record<string, unknown>> {
  return { contents: [{ uri, text, mimeType: "text/markdown" }], ...FRESH };
}

export async function onlyEntry(view: SkillsView): Promise<SkillEntry> {
  const { skills } = await view.list();
  const [entry] = skills;
  if (entry === undefined) throw new Error("nothing listed");
  return entry;
}

/** The outcome of a refused skill of the server `s`. */
export function refusedAs(reason: string): unknown {
  return { ok: false, refusal: { refusal: { kind: "skill", serverId: "s", reason } } };
}
