import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { decodeFreshness } from "../../domain/session/freshness.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { SessionStage } from "../../domain/session/refusal.ts";
import { verifyContents, type SkillFileContent } from "../../domain/skills/contents.ts";
import { decodeSkill } from "../../domain/skills/decode.ts";
import { findSkillFile } from "../../domain/skills/find-file.ts";
import { frontmatterHead, isSameFrontmatter } from "../../domain/skills/frontmatter.ts";
import { losslessText } from "../../domain/skills/lossless-text.ts";
import type { SkillReason, SkillRefusal } from "../../domain/skills/refusal.ts";
import { skillReceiveLimitBytes, type Skill, type SkillFile } from "../../domain/skills/skill.ts";
import { parseSkillUri } from "../../domain/skills/uri.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer, PeerFailure } from "../../ports/mcp-peer.ts";
import type { SkillFrontmatter } from "../../ports/skill-frontmatter.ts";
import { startDeadline } from "./deadline.ts";
import { stated } from "./discover.ts";
import { listPages, type ListLimits, type ListQuery } from "./list-pages.ts";
import { createSkillEntries } from "./skill-entries.ts";
import type { SkillFailure, SkillsView } from "./skills-view.ts";

export interface SkillsOptions {
  readonly serverId: string;
  readonly identity: () => SessionIdentity;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Over one whole list. Milliseconds. */
  readonly listMs: number;
  /** Of one page or one read, restarted by progress; and in all. */
  readonly perCallMs: number;
  readonly maxTotalMs: number;
  readonly frontmatter: SkillFrontmatter;
}

/** Stands for a signal that nobody gave. */
const NEVER = new AbortController().signal;
const LIST: ListQuery = { method: "skills/list", field: "skills", stage: "list-skills" };

interface Ask {
  readonly method: string;
  readonly stage: SessionStage;
  readonly uri: string;
  readonly signal: AbortSignal;
  readonly receiveLimitBytes?: number;
}

/** Makes the view of a server's skills over a peer that was found to have them (S1). Nothing is sent for it. */
export function createSkills(peer: McpPeer, options: SkillsOptions): SkillsView {
  const { serverId, identity, clock } = options;
  const entries = createSkillEntries(identity);
  const refused = (
    reason: Exclude<SkillReason, "unavailable" | "entry-refused">,
  ): { readonly ok: false; readonly refusal: SkillFailure } => refusedAs({ kind: "skill", serverId, reason });

  const ask = async ({ method, stage, uri, ...how }: Ask): Promise<Outcome<JsonObject, PeerFailure>> => {
    const { perCallMs: timeoutMs, maxTotalMs } = options;
    const answer = await peer.request(method, { uri }, { ...how, stage, timeoutMs, maxTotalMs });
    if (!answer.ok) return answer;
    const { era } = peer.identity;
    const freshness = decodeFreshness(answer.value, { era, receivedAtMs: clock.nowMs() });
    return freshness.ok
      ? answer
      : refuse({ refusal: { kind: "session", reason: freshness.refusal, serverId, stage } });
  };

  return {
    async list({ maxPages = options.limits.pages, signal = NEVER } = {}) {
      if (!Number.isSafeInteger(maxPages) || maxPages < 1) {
        throw Object.assign(new TypeError("maxPages is a whole number from 1"), { code: "max-pages" });
      }
      const deadline = startDeadline(options.listMs, { clock, signal });
      const listedFor = identity();
      const pages = Math.min(maxPages, options.limits.pages);
      try {
        const listed = await listPages(peer, LIST, {
          serverId,
          clock,
          limits: { ...options.limits, pages },
          timeoutMs: options.perCallMs,
          maxTotalMs: options.maxTotalMs,
          deadline,
        });
        // A list of which nothing came says nothing of what was listed before.
        const admitted =
          listed.pages.length === 0
            ? { skills: [], rejected: [] }
            : entries.replaceAll(listed.items, listedFor);
        const { state, failure } = stated(listed);
        return { identity: listedFor, ...admitted, state, failure };
      } finally {
        deadline.end();
      }
    },

    async get(uri, { signal = NEVER } = {}) {
      if (!parseSkillUri(uri).ok) return refused("uri-refused");
      const askedOf = identity();
      const answer = await ask({ method: "skills/get", stage: "get-skill", uri, signal });
      if (!answer.ok) {
        const { refusal } = answer.refusal;
        // The server itself said no: what it said of this skill before does not hold any more.
        if (refusal.kind === "session" && refusal.reason === "protocol-error") entries.drop(uri);
        return answer;
      }
      entries.drop(uri);
      const skill = decodeSkill(answer.value["skill"]);
      if (!skill.ok)
        return refusedAs({ kind: "skill", reason: "entry-refused", serverId, entry: skill.refusal });
      return skill.value.uri === uri ? accept(entries.replace(skill.value, askedOf)) : refused("other-skill");
    },

    async read(entry, fileUri, { signal = NEVER } = {}) {
      const skill = entries.skillOf(entry);
      if (skill === undefined) return refused("entry-foreign");
      if (!entries.isCurrent(entry)) return refused("entry-stale");
      if (skill.manifest.kind === "dynamic") return refused("manifest-dynamic");
      const file = findSkillFile(skill, fileUri);
      if (file === undefined) return refused("file-unlisted");
      const answer = await ask({
        method: "resources/read",
        stage: "read-resource",
        uri: file.uri,
        signal,
        receiveLimitBytes: skillReceiveLimitBytes(file.sizeBytes),
      });
      if (!answer.ok) return answer;
      const content = await verify(skill, { file, answer: answer.value }, options.frontmatter);
      signal.throwIfAborted();
      // Somebody may have listed again meanwhile: these bytes are then those of an older list.
      if (!entries.isCurrent(entry)) return refused("entry-stale");
      if (content.ok) return content;
      entries.drop(skill.uri);
      return refused(content.refusal);
    },
  };
}

function refusedAs(refusal: SkillRefusal): { readonly ok: false; readonly refusal: SkillFailure } {
  return refuse({ refusal });
}

async function verify(
  skill: Skill,
  { file, answer }: { readonly file: SkillFile; readonly answer: JsonObject },
  frontmatter: SkillFrontmatter,
): Promise<
  Outcome<
    SkillFileContent,
    "contents-malformed" | "size-mismatch" | "digest-mismatch" | "frontmatter-mismatch"
  >
> {
  const content = verifyContents(answer, file);
  if (!content.ok || file.uri !== skill.uri) return content;
  const text = losslessText(content.value.bytes);
  const head = text === undefined ? undefined : frontmatterHead(text);
  const said = head === undefined ? undefined : await frontmatter.read(head, skill.name);
  const isSame = said !== undefined && isSameFrontmatter(said, skill.untrustedRawFrontmatter);
  return isSame ? content : refuse("frontmatter-mismatch");
}
