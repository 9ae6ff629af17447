/** One column: its title, and how many cells of the terminal it may take before its text is cut. */
export interface Column {
  readonly title: string;
  readonly limit?: number;
}

/** Between columns. No lines are drawn, so that a column can be copied and cut. */
const GAP = "  ";

/**
 * Lays rows out in columns, by the width that characters have on a terminal. Cells hold one line of text that
 * has been made fit to be shown. The library that knows widths is loaded with the first cell that needs it.
 */
export async function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ limit }, index) => cut(row[index] ?? "", limit))),
  ];
  const isPlain = lines.every((line) => line.every((cell) => PLAIN.test(cell)));
  const widthOf = isPlain ? lengthOf : (await import("fast-string-width")).default;
  const widths = columns.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[index] ?? "")), 0),
  );
  const pad = (cell: string, index: number): string =>
    cell + " ".repeat((widths[index] ?? 0) - widthOf(cell));
  return lines.map((line) => line.map(pad).join(GAP).trimEnd()).join("\n");
}

/* One cell each. */
const PLAIN = /^[\x20-\x7e]*$/;

function lengthOf(text: string): number {
  return text.length;
}

/** Counted in code points: a bound on the layout, not a measure of it. */
function cut(text: string, limit: number | undefined): string {
  if (limit === undefined || text.length <= limit) return text;
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
