/**
 * Paths as text. Whether the rules are POSIX or Windows is told by the path itself: an absolute one starts
 * with `/`, or with a drive or share. On POSIX a backslash is a plain character of a name.
 */
const WINDOWS_ABSOLUTE = /^(?:[A-Za-z]:[\\/]|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return WINDOWS_ABSOLUTE.test(path);
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || isWindowsPath(path);
}

/** The last part, split at both separators: a name that hides a shell behind a backslash finds no gap. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}

/** Whether any part is `..`, split at both separators for the same reason. */
export function hasParentSegment(path: string): boolean {
  return path.split(/[\\/]/).includes("..");
}

/** Whether canonical `path` is the canonical folder `root` or below it. */
export function isInside(root: string, path: string): boolean {
  const separator = isWindowsPath(root) ? "\\" : "/";
  return path === root || path.startsWith(root.endsWith(separator) ? root : root + separator);
}

/** `path` as seen from the absolute folder `root`. */
export function from(root: string, path: string): string {
  if (isAbsolutePath(path)) return path;
  const separator = isWindowsPath(root) ? "\\" : "/";
  return root.endsWith(separator) ? root + path : root + separator + path;
}
