/**
 * Estimates how many characters the JSON text of a value has, and stops as soon as it is above `limit`.
 * Escapes count as one character, so that the estimate is a lower bound. Iterative: a server decides how
 * deep the value is.
 */
export function estimateJsonSize(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const next = open.pop();
    if (typeof next === "string") size += next.length + 2;
    else if (typeof next !== "object" || next === null) size += String(next).length;
    else if (Array.isArray(next)) {
      size += next.length + 1;
      for (const item of next) open.push(item);
    } else {
      size += 2;
      for (const [key, item] of Object.entries(next)) {
        size += key.length + 4;
        open.push(item);
      }
    }
  }
  return size;
}
