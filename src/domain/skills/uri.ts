import { accept, refuse, type Outcome } from "../outcome.ts";
import { SKILL_MD } from "./skill.ts";
import type { SkillEntryReason } from "./refusal.ts";

/** Characters of a URI: as long as browsers and proxies take them without question. */
const URI_LIMIT = 2_048;
/** What a program that is handed the URI would open by itself, past the server it came from. */
const OPENED_ELSEWHERE: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "data",
  "file",
  "ftp",
  "http",
  "https",
  "javascript",
  "mailto",
  "ws",
  "wss",
]);
const START = /^([a-z][a-z0-9+.-]*):\/\//;
/* Nothing that cannot be seen, no space, no second spelling of a slash, no query, no fragment. */
const UNUSABLE = /[\p{C}\p{Z}\\?#]/u;
/* What may not hide behind an escape: a separator, or what is not seen. */
const HIDDEN_IN_SEGMENT = /[\p{Cc}\p{Cf}\p{Cs}/\\]/u;

export type UriReason = Extract<
  SkillEntryReason,
  "uri-malformed" | "scheme-refused" | "path-traversal" | "file-outside"
>;

/** Where a skill's files are. */
export interface SkillRoot {
  /** Without a slash at its end. */
  readonly uri: string;
  /** The decoded last segment. */
  readonly name: string;
}

/** Reads the URI of a SKILL.md in a directory with a name (SEP-2640, Resource Mapping). */
export function parseSkillUri(uri: string): Outcome<SkillRoot, UriReason> {
  const start = START.exec(uri);
  const wellFormed = uri.length <= URI_LIMIT && !UNUSABLE.test(uri) && URL.canParse(uri);
  if (start === null || !wellFormed) return refuse("uri-malformed");
  const [prefix, scheme = ""] = start;
  if (OPENED_ELSEWHERE.has(scheme)) return refuse("scheme-refused");
  if (!uri.endsWith(`/${SKILL_MD}`)) return refuse("uri-malformed");
  const root = uri.slice(0, -`/${SKILL_MD}`.length);
  const [authority = "", ...path] = root.slice(prefix.length).split("/");
  if (authority.includes("@")) return refuse("uri-malformed");
  // `scheme:///path` has no authority; its directory then has to be in the path.
  const segments = decodeSegments(authority === "" && path.length > 0 ? path : [authority, ...path]);
  if (!segments.ok) return segments;
  return accept({ uri: root, name: segments.value.at(-1) ?? "" });
}

/**
 * Reads the URI of a file below a skill's root; answers its decoded path, which is the same for every spelling.
 * A root that is spelled another way is another directory: nothing here normalises what a server wrote.
 */
export function parseSkillFileUri(root: SkillRoot, uri: string): Outcome<string, UriReason> {
  if (uri.length > URI_LIMIT || UNUSABLE.test(uri)) return refuse("uri-malformed");
  if (!uri.startsWith(`${root.uri}/`)) return refuse("file-outside");
  const segments = decodeSegments(uri.slice(root.uri.length + 1).split("/"));
  return segments.ok ? accept(segments.value.join("/")) : segments;
}

function decodeSegments(segments: readonly string[]): Outcome<readonly string[], UriReason> {
  const decoded: string[] = [];
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === undefined || text === "") return refuse("uri-malformed");
    if (text === "." || text === ".." || HIDDEN_IN_SEGMENT.test(text)) return refuse("path-traversal");
    decoded.push(text);
  }
  return accept(decoded);
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
