import { encodePlain, encodeText } from "../definition/encoding.ts";
import { cleanText } from "../catalog/untrusted-text.ts";
import { writeJson } from "../catalog/json-text.ts";
import { isJsonObject, own } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { sha256Hex } from "../sha256.ts";
import { decodeFrontmatter } from "./frontmatter.ts";
import type { SkillEntryReason } from "./refusal.ts";
import {
  SKILL_BYTES_LIMIT,
  SKILL_FILE_LIMIT,
  SKILL_MD,
  type Skill,
  type SkillFile,
  type SkillManifest,
} from "./skill.ts";
import { parseSkillFileUri, parseSkillUri, type SkillRoot } from "./uri.ts";

const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** Characters of a path that are shown. */
const PATH_LIMIT = 512;

/** Admits one raw entry of `skills/list` or `skills/get`, or says the first thing wrong with it (S2, S4). */
export function decodeSkill(raw: unknown): Outcome<Skill, SkillEntryReason> {
  if (!isJsonObject(raw)) return refuse("not-an-object");
  const uri = own(raw, "uri");
  if (typeof uri !== "string") return refuse("uri-malformed");
  const root = parseSkillUri(uri);
  if (!root.ok) return root;
  const frontmatter = decodeFrontmatter(own(raw, "frontmatter"));
  if (!frontmatter.ok) return frontmatter;
  const { name, description, shown, changes, raw: rawFrontmatter } = frontmatter.value;
  if (name !== root.value.name) return refuse("name-mismatch");
  const manifest = decodeManifest(root.value, own(raw, "resources"));
  if (!manifest.ok) return manifest;
  const skill = {
    uri,
    name,
    untrustedDescription: description,
    untrustedFrontmatter: shown,
    untrustedRawFrontmatter: rawFrontmatter,
    textChanges: changes,
    manifest: manifest.value,
  };
  return accept({ ...skill, contentFingerprint: contentFingerprint(skill) });
}

function decodeManifest(root: SkillRoot, raw: unknown): Outcome<SkillManifest, SkillEntryReason> {
  if (raw === "dynamic") return accept({ kind: "dynamic" });
  if (!Array.isArray(raw)) return refuse("manifest-malformed");
  if (raw.length > SKILL_FILE_LIMIT) return refuse("too-many-files");
  const paths = new Set<string>();
  const files: SkillFile[] = [];
  let sizeBytes = 0;
  for (const item of raw as readonly unknown[]) {
    const file = decodeFile(root, item);
    if (!file.ok) return file;
    if (paths.has(file.value.path)) return refuse("file-duplicate");
    paths.add(file.value.path);
    files.push(file.value.file);
    sizeBytes += file.value.file.sizeBytes;
    if (sizeBytes > SKILL_BYTES_LIMIT) return refuse("too-large");
  }
  if (!files.some((file) => file.uri === `${root.uri}/${SKILL_MD}`)) return refuse("skill-file-missing");
  return accept(Object.freeze({ kind: "listed", files: Object.freeze(files), sizeBytes }));
}

function decodeFile(
  root: SkillRoot,
  raw: unknown,
): Outcome<{ readonly path: string; readonly file: SkillFile }, SkillEntryReason> {
  if (!isJsonObject(raw)) return refuse("manifest-malformed");
  const [uri, digest, size] = [own(raw, "uri"), own(raw, "digest"), own(raw, "size")];
  if (typeof uri !== "string") return refuse("manifest-malformed");
  const sha256 = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
  const isSize = typeof size === "number" && Number.isSafeInteger(size) && size >= 0;
  if (sha256 === undefined || !isSize) return refuse("manifest-malformed");
  const path = parseSkillFileUri(root, uri);
  if (!path.ok) return path;
  const untrustedPath = cleanText(path.value, PATH_LIMIT).text;
  return accept({ path: path.value, file: Object.freeze({ uri, untrustedPath, sizeBytes: size, sha256 }) });
}

/** Length-prefixed, so that no two skills share an encoding; the order of files and of keys does not count. */
function contentFingerprint(skill: Pick<Skill, "uri" | "untrustedRawFrontmatter" | "manifest">): string {
  const { uri, untrustedRawFrontmatter, manifest } = skill;
  const frontmatter = writeJson(untrustedRawFrontmatter, { keys: "sorted", layout: "compact" });
  const files =
    manifest.kind === "dynamic"
      ? "d"
      : `f${manifest.files.length}:${manifest.files
          .map((file) => encodeText(file.uri) + encodePlain(file.sizeBytes) + encodeText(file.sha256))
          .toSorted()
          .join("")}`;
  return sha256Hex(`sallyport-skill-1 ${encodeText(uri)}${encodeText(frontmatter)}${files}`);
}
