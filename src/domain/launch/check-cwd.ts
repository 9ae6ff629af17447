import { type Outcome, accept, refuse } from "../outcome.ts";
import type { FileFacts, Look } from "./file-facts.ts";
import { from, hasParentSegment, isAbsolutePath, isInside } from "./paths.ts";
import { type StdioDetail, type StdioRefusal, stdioRefusal } from "./refusal.ts";

/**
 * Checks step 4 of X2. Absent means the allowed root; a relative one is seen from the root, never from the
 * host's own working directory. Its canonical path has to be the root or below it.
 */
export async function checkCwd(
  cwd: string | undefined,
  { root, look }: { readonly root: string; readonly look: Look },
): Promise<Outcome<FileFacts, StdioRefusal>> {
  const rootFacts = await look(root);
  if (rootFacts === undefined || rootFacts.kind !== "folder" || rootFacts.realPath !== root) {
    return no("bad-root");
  }
  const textProblem = cwd === undefined ? undefined : cwdTextProblem(cwd);
  if (textProblem !== undefined) return no(textProblem);
  const path = cwd === undefined || cwd === "" ? root : from(root, cwd);
  const facts = await look(path);
  if (facts === undefined) return no("not-found");
  if (!isInside(root, facts.realPath)) {
    const isLexicallyInside = cwd !== undefined && (!isAbsolutePath(cwd) || isInside(root, cwd));
    return no(isLexicallyInside ? "symlink-escape" : "outside-root");
  }
  if (facts.kind !== "folder") return no("not-a-folder");
  if (!facts.executable) return no("not-enterable");
  return accept(facts);
}

function no(detail: StdioDetail): Outcome<never, StdioRefusal> {
  return refuse(stdioRefusal("cwd", detail));
}

function cwdTextProblem(cwd: string): StdioDetail | undefined {
  if (cwd.includes("\0")) return "nul";
  if (cwd.includes("${")) return "leftover-template";
  if (hasParentSegment(cwd)) return "parent-segment";
  // Nobody expands it, and a folder really called `~` is more likely a mistake than a wish.
  if (/^~(?:[\\/]|$)/.test(cwd)) return "home-shorthand";
  return undefined;
}
