import type { TextChange } from "../catalog/untrusted-text.ts";
import type { JsonObject } from "../json-value.ts";

/** What a server declares, and a client with skills on, under `capabilities.extensions` (SEP-2640). */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** Files of one skill, its SKILL.md included (SEP-2640, Limits; S4). */
export const SKILL_FILE_LIMIT = 512;
/** Sum of the sizes in one manifest, raw (SEP-2640, Limits; S4). */
export const SKILL_BYTES_LIMIT: number = 16 * 1024 * 1024;

/** The file that every skill has, by its path below the skill's root. */
export const SKILL_MD = "SKILL.md";

/** One file as the manifest lists it. */
export interface SkillFile {
  /** Inside the skill's own directory, and listed once. */
  readonly uri: string;
  /** Below the skill's root, decoded and fit to be shown: a server's own word. */
  readonly untrustedPath: string;
  readonly sizeBytes: number;
  /** 64 hex digits over the raw bytes. From the same server as the bytes: it proves that they agree, no more. */
  readonly sha256: string;
}

export type SkillManifest =
  | { readonly kind: "listed"; readonly files: readonly SkillFile[]; readonly sizeBytes: number }
  /** The server publishes no digests, so that nothing of it can be verified. */
  | { readonly kind: "dynamic" };

/** One skill as a server describes it. It grants nothing (S5). */
export interface Skill {
  /** Of its SKILL.md. Names a skill of this server only: two servers may each have one under it. */
  readonly uri: string;
  /** Lower-case letters, digits and hyphens; the last segment of the root. Not unique. */
  readonly name: string;
  /** Cleaned. */
  readonly untrustedDescription: string;
  /** All of it, fit to be shown: texts cleaned, keys escaped. */
  readonly untrustedFrontmatter: JsonObject;
  /** All of it, as it was sent: for comparing, never for showing. */
  readonly untrustedRawFrontmatter: JsonObject;
  /** What cleaning took out of the texts; empty when they are the server's own. */
  readonly textChanges: readonly TextChange[];
  readonly manifest: SkillManifest;
  /**
   * SHA-256 over URI, raw frontmatter and manifest, 64 hex digits: what a consent can be bound to (S5). Of a
   * dynamic skill it says nothing about the files.
   */
  readonly contentFingerprint: string;
}

/** A skill, and whose it is. */
export interface SkillEntry extends Skill {
  readonly serverId: string;
  readonly carrierGeneration: string;
}

/** Room for the message around a file's text: its URI, type, freshness and the server's own `_meta`. */
const ENVELOPE_BYTES = 64 * 1024;

/**
 * The bytes that an answer with one file of this size may take (S4). Twice the file covers base64 (4/3) and a
 * text whose every byte is escaped in two; a text that is mostly control characters belongs into a blob.
 */
export function skillReceiveLimitBytes(sizeBytes: number): number {
  return 2 * sizeBytes + ENVELOPE_BYTES;
}
