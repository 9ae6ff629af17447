/** A name that is meant differs in no more than this many characters, or by its server's prefix. */
const MOST_EDITS = 3;
/** Names of a catalog are no longer. */
const LONGEST_NAME = 64;
const MOST_COMPARED = 2_000;
const MOST_SHOWN = 3;

export interface NamedTool {
  /** In the catalog. */
  readonly name: string;
  readonly sourceName: string;
}

/** The catalog names that somebody who wrote `written` may have meant, closest first, three at most. */
export function closestNames(written: string, tools: readonly NamedTool[]): readonly string[] {
  if (written.length > LONGEST_NAME) return [];
  const wanted = written.toLowerCase();
  return tools
    .slice(0, MOST_COMPARED)
    .map((tool) => ({ name: tool.name, edits: distanceTo(tool, wanted) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, MOST_SHOWN)
    .map(({ name }) => name);
}

function distanceTo({ name, sourceName }: NamedTool, wanted: string): number {
  const source = sourceName.toLowerCase();
  // The name as its server knows it, with or without somebody's prefix.
  if (wanted === source || wanted.endsWith(`__${source}`)) return 0;
  return edits(name.toLowerCase().slice(0, LONGEST_NAME), wanted);
}

/** Levenshtein's distance, row by row. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
