/**
 * Counts the characters of a value's JSON text, and stops as soon as they are above `limit`. An escaped
 * character counts as one, so that it is a lower bound. Iterative: a server decides how deep the value is.
 */
export function estimateJsonSize(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const next = open.pop();
    if (typeof next === "string") size += next.length + 2;
    else if (typeof next !== "object" || next === null) size += String(next).length;
    else if (Array.isArray(next)) {
      size += enclosed(next.length);
      for (const item of next) open.push(item);
    } else {
      const entries = Object.entries(next);
      size += enclosed(entries.length);
      for (const [key, item] of entries) {
        size += key.length + '"":'.length;
        open.push(item);
      }
    }
  }
  return size;
}

/** Two brackets, and the commas between. */
function enclosed(items: number): number {
  return 2 + Math.max(0, items - 1);
}
