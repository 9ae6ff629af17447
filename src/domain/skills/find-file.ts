import type { Skill, SkillFile } from "./skill.ts";
import { parseSkillFileUri, parseSkillUri } from "./uri.ts";

/** The listed file that a URI means. By its path, so that it may be spelled in another way than the manifest does. */
export function findSkillFile({ uri, manifest }: Skill, fileUri: string): SkillFile | undefined {
  const root = parseSkillUri(uri);
  if (!root.ok || manifest.kind === "dynamic") return undefined;
  const wanted = parseSkillFileUri(root.value, fileUri);
  if (!wanted.ok) return undefined;
  return manifest.files.find((file) => {
    const path = parseSkillFileUri(root.value, file.uri);
    return path.ok && path.value === wanted.value;
  });
}
