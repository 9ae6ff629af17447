import { type Outcome, accept, refuse } from "../outcome.ts";
import type { FileFacts, Look } from "./file-facts.ts";
import type { LaunchGrant, LaunchRequest } from "./launch-grant.ts";
import { isAbsolutePath } from "./paths.ts";
import { type StdioDetail, type StdioRefusal, stdioRefusal } from "./refusal.ts";
import { isShell } from "./shells.ts";

/** Checks step 3 of X2: the authority lists this exact command and argument vector, and the file is there. */
export async function checkExecutable(
  request: LaunchRequest,
  { grant, look }: { readonly grant: LaunchGrant; readonly look: Look },
): Promise<Outcome<FileFacts, StdioRefusal>> {
  const textProblem = commandLineProblem([request.command, ...request.args, grant.executable, grant.argv0]);
  if (textProblem !== undefined) return no(textProblem);
  if (!grant.argumentVectors.some((vector) => isSameVector(vector, request.args))) {
    return no("arguments-not-listed");
  }
  if (!isAbsolutePath(grant.executable)) return no("not-absolute");
  if (!grant.allowShell && [grant.executable, grant.argv0, request.command].some(isShell)) return no("shell");
  const fileProblem = await executableProblem(grant.executable, look);
  if ("detail" in fileProblem) return no(fileProblem.detail);
  const { facts } = fileProblem;
  // An absolute command says by itself which file it means; a grant for another one is a mix-up.
  if (isAbsolutePath(request.command) && (await look(request.command))?.realPath !== facts.realPath) {
    return no("other-executable");
  }
  return accept(facts);
}

function no(detail: StdioDetail): Outcome<never, StdioRefusal> {
  return refuse(stdioRefusal("authority", detail));
}

/**
 * Refused: a NUL, which would cut the text at the system call, a `${` that nothing expanded (A1 of D8), and a
 * Windows batch file, whose arguments `cmd.exe` would read as a script (CVE-2024-27980).
 */
function commandLineProblem(texts: readonly string[]): StdioDetail | undefined {
  if (texts.some((text) => text.includes("\0"))) return "nul";
  if (texts.some((text) => text.includes("${"))) return "leftover-template";
  return undefined;
}

async function executableProblem(
  path: string,
  look: Look,
): Promise<{ readonly detail: StdioDetail } | { readonly facts: FileFacts }> {
  if (/\.(?:bat|cmd)$/i.test(path)) return { detail: "batch-file" };
  const facts = await look(path);
  if (facts === undefined) return { detail: "not-found" };
  if (facts.realPath !== path) return { detail: "not-canonical" };
  if (facts.kind !== "file") return { detail: "not-a-file" };
  if (!facts.executable) return { detail: "not-executable" };
  return { facts };
}

function isSameVector(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
