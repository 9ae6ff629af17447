import type { ListState } from "../../domain/catalog/catalog.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { SkillFileContent } from "../../domain/skills/contents.ts";
import type { SkillEntryReason, SkillRefusal } from "../../domain/skills/refusal.ts";
import type { SkillEntry } from "../../domain/skills/skill.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";

/** An entry of a server that was not admitted. */
export interface RejectedSkill {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly reason: SkillEntryReason;
  /** What the server calls it, cleaned and cut; absent where it is no text. */
  readonly untrustedUri?: string;
}

export interface SkillListing {
  /** Whose list this is. */
  readonly identity: SessionIdentity;
  readonly skills: readonly SkillEntry[];
  readonly rejected: readonly RejectedSkill[];
  readonly state: ListState;
  /** Why it is incomplete. Even a complete list need not name every skill: a server may have more under `get`. */
  readonly failure: PeerFailure | undefined;
}

/** Why nothing can be handed over. `untrusted` holds the server's own words, cleaned and cut. */
export interface SkillFailure {
  readonly refusal: SkillRefusal | PeerFailure["refusal"];
  readonly untrusted?: { readonly message: string; readonly code?: number };
}

export interface SkillCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The skills of one server (SEP-2640), seen and not used: nothing here activates an instruction or allows a tool, and a
 * host binds a person's consent to an entry's `contentFingerprint` (S5). Files are read one at a time and only when
 * asked for. Entries are good until the next list, the next `get` of the same skill, anything that did not verify, or
 * another connection; what is then asked of them is refused. Rejects only with the signal's reason.
 */
export interface SkillsView {
  /** Reads metadata alone, every page unless fewer are asked for (1 or more; default: the session's own bound). */
  list(options?: SkillCallOptions & { readonly maxPages?: number }): Promise<SkillListing>;
  /** Has the server confirm one skill, listed or not, by the URI of its SKILL.md. */
  get(uri: string, options?: SkillCallOptions): Promise<Outcome<SkillEntry, SkillFailure>>;
  /**
   * Reads one file that the entry's manifest lists, and hands its bytes over once their size and SHA-256 are the listed
   * ones; a SKILL.md also has to say of itself what the entry said (S3). Both come from the same server: they agree,
   * which does not make them trustworthy.
   */
  read(
    entry: SkillEntry,
    fileUri: string,
    options?: SkillCallOptions,
  ): Promise<Outcome<SkillFileContent, SkillFailure>>;
}
