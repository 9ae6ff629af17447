import type { ToolFilter } from "./definition.ts";

/**
 * Tells whether a server's own tool name passes the filter: `deny` wins, and without an `allow` list every
 * other tool passes (D5). `*` stands for any run of characters, `?` for one; the whole name has to match.
 */
export function isToolAllowed(filter: ToolFilter, toolName: string): boolean {
  if (filter.deny.some((pattern) => matchesGlob(pattern, toolName))) return false;
  return filter.allow === undefined || filter.allow.some((pattern) => matchesGlob(pattern, toolName));
}

/** Only the last `*` is ever tried again: at most pattern × name steps, and both are bounded. */
function matchesGlob(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  let index = 0;
  while (index < name.length) {
    if (pattern[at] === "*") {
      star = at;
      starAt = index;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      at = star + 1;
      starAt += 1;
      index = starAt;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
