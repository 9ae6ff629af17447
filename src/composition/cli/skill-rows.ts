import { escapeForDisplay } from "../../domain/display-text.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import type { TextChange } from "../../domain/catalog/untrusted-text.ts";
import type { SkillEntryReason } from "../../domain/skills/refusal.ts";
import type { SkillEntry } from "../../domain/skills/skill.ts";
import type { RejectedSkill, SkillListing } from "../flows/skills-view.ts";
import { shortText } from "./catalog-text.ts";

/** Files of one skill that the overview shows; `--json` has all of them. */
const FILE_LIMIT = 20;

/** A skill in a JSON answer. */
export interface SkillRow {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  readonly textChanges: readonly TextChange[];
  readonly manifest:
    | { readonly kind: "dynamic" }
    | {
        readonly kind: "listed";
        readonly sizeBytes: number;
        readonly files: readonly {
          readonly uri: string;
          readonly path: string;
          readonly sizeBytes: number;
          readonly sha256: string;
        }[];
      };
  readonly contentFingerprint: string;
}

export interface RejectedSkillRow {
  readonly index: number;
  readonly uri: string | null;
  readonly reason: SkillEntryReason;
}

export function skillRow(entry: SkillEntry): SkillRow {
  const { uri, name, untrustedDescription, untrustedFrontmatter, textChanges, manifest } = entry;
  return {
    uri,
    name,
    description: untrustedDescription,
    frontmatter: untrustedFrontmatter,
    textChanges,
    manifest:
      manifest.kind === "dynamic"
        ? manifest
        : {
            kind: manifest.kind,
            sizeBytes: manifest.sizeBytes,
            files: manifest.files.map(({ uri: file, untrustedPath: path, sizeBytes, sha256 }) => {
              return { uri: file, path, sizeBytes, sha256 };
            }),
          },
    contentFingerprint: entry.contentFingerprint,
  };
}

export function rejectedSkillRow({ index, reason, untrustedUri }: RejectedSkill): RejectedSkillRow {
  return { index, uri: untrustedUri ?? null, reason };
}

/** The skills for people. Everything a server wrote is escaped. */
export function* skillLines({ skills, rejected, failure }: SkillListing): Generator<string> {
  if (skills.length === 0 && rejected.length === 0 && failure === undefined) yield "No skill is listed.";
  for (const entry of skills) {
    yield escapeForDisplay(entry.uri);
    yield `    ${shortText(entry.untrustedDescription)}`;
    yield* manifestLines(entry);
    yield `    content ${entry.contentFingerprint}`;
  }
  for (const { index, reason, untrustedUri } of rejected) {
    yield `rejected: ${untrustedUri === undefined ? `entry ${index}` : `"${escapeForDisplay(untrustedUri)}"`} (${reason})`;
  }
}

function* manifestLines({ manifest }: SkillEntry): Generator<string> {
  if (manifest.kind === "dynamic") {
    yield "    generated anew each time: nothing of it can be verified";
    return;
  }
  for (const { uri, sizeBytes } of manifest.files.slice(0, FILE_LIMIT)) {
    yield `    ${escapeForDisplay(uri)} (${sizeBytes} bytes)`;
  }
  const more = manifest.files.length - FILE_LIMIT;
  if (more > 0) yield `    and ${more} more files; --json lists them`;
}
