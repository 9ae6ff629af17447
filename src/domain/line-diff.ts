/** One line of a comparison. */
export interface DiffLine {
  readonly mark: "same" | "removed" | "added";
  readonly text: string;
}

/** Cells of the table that finds what two texts share; beyond, everything between their ends counts as replaced. */
const CELL_LIMIT = 1_000_000;

/**
 * Compares two texts line by line: what both begin and end with is the same, between that the longest common sequence.
 * Bounded, whatever the texts are.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...marked("same", old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...marked("same", old.slice(old.length - end)),
  ];
}

function marked(mark: DiffLine["mark"], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ mark, text }));
}

function diffMiddle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > CELL_LIMIT) return [...marked("removed", old), ...marked("added", now)];
  const width = now.length + 1;
  const lengths = commonLengths(old, now, width);
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < now.length) {
    const [oldText = "", nowText = ""] = [old[left], now[right]];
    const skipOld = lengths[(left + 1) * width + right] ?? 0;
    const skipNow = lengths[left * width + right + 1] ?? 0;
    if (oldText === nowText) {
      lines.push({ mark: "same", text: oldText });
      left += 1;
      right += 1;
    } else if (skipOld >= skipNow) {
      lines.push({ mark: "removed", text: oldText });
      left += 1;
    } else {
      lines.push({ mark: "added", text: nowText });
      right += 1;
    }
  }
  return [...lines, ...marked("removed", old.slice(left)), ...marked("added", now.slice(right))];
}

/** For each pair of places the length of the longest common sequence from there on. */
function commonLengths(old: readonly string[], now: readonly string[], width: number): Uint32Array {
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let left = old.length - 1; left >= 0; left -= 1) {
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const below = (left + 1) * width + right;
      const beside = left * width + right + 1;
      lengths[left * width + right] =
        old[left] === now[right]
          ? 1 + (lengths[below + 1] ?? 0)
          : Math.max(lengths[below] ?? 0, lengths[beside] ?? 0);
    }
  }
  return lengths;
}
