import { type StdioDetail, type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";

/** What the operating system said about a spawn, without its words: they quote the path. */
const DETAILS: ReadonlyMap<string, StdioDetail> = new Map([
  ["ENOENT", "not-found"],
  ["ENOTDIR", "not-found"],
  ["EACCES", "not-permitted"],
  ["EPERM", "not-permitted"],
  ["E2BIG", "too-large"],
  ["EAGAIN", "no-resources"],
  ["EMFILE", "no-resources"],
  ["ENFILE", "no-resources"],
  ["ENOMEM", "no-resources"],
  ["ENOEXEC", "bad-format"],
]);

export function startRefusal(error: unknown): StdioRefusal {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return stdioRefusal("start", (typeof code === "string" ? DETAILS.get(code) : undefined) ?? "other-fault");
}
