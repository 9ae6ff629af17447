/** One column: its title, and how many cells of the terminal it may take before its text is cut. */
export interface Column {
  readonly title: string;
  readonly limit?: number;
}

/** Characters between the lines of a table: none, so that a column can be copied and cut. */
const PLAIN = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
} as const;

/**
 * Lays rows out in columns, by the width that characters have on a terminal. Cells hold one line of text that
 * has been made fit to be shown. The library is loaded with the first table: who prints JSON never pays for it.
 */
export async function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: columns.map(({ title }) => title),
    chars: PLAIN,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) table.push(row.map((cell, index) => cut(cell, columns[index]?.limit)));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Counted in code points: a bound on the layout, not a measure of it. */
function cut(text: string, limit: number | undefined): string {
  if (limit === undefined || text.length <= limit) return text;
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
