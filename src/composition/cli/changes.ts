import type { ToolChange } from "../../domain/activation/pins.ts";
import { catalogName } from "../../domain/catalog/tool-name.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import { diffLines } from "../../domain/line-diff.ts";
import type { DiffLine } from "../../domain/line-diff.ts";
import type { ServerState } from "../host/host-catalog.ts";
import type { ServerRow } from "./catalog-rows.ts";
import type { CommandContext } from "./command.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { shownError } from "./report.ts";
import { fixLine, withOperand } from "./shell-line.ts";

/** A tool that is not as it was pinned. */
export interface ChangeRow {
  readonly server: string;
  /** The catalog's name. */
  readonly name: string;
  /** The server's own name for it, escaped. */
  readonly sourceName: string;
  readonly change: ToolChange["change"];
  /** What people are shown of it, in lines; `null` for a new one. */
  readonly before: string | null;
  readonly after: string;
}

export function changeRows(changes: readonly ToolChange[]): readonly ChangeRow[] {
  return changes.map(({ serverId, name, change, before, after }) => ({
    server: serverId,
    name: catalogName(serverId, "tool", name),
    sourceName: escapeForDisplay(name),
    change,
    before: before?.shown ?? null,
    after: after.shown,
  }));
}

/** The answer of `tools --changes`. */
export function answerChanges(
  { line, output }: CommandContext,
  servers: readonly ServerRow[],
  changes: readonly ChangeRow[],
): void {
  if (line.json) {
    output.answer(jsonDocument({ servers, changes }));
    return;
  }
  if (changes.length === 0) output.answer("No tool differs from what was pinned.\n");
  for (const text of changes.flatMap((row) => [...changeLines(row)])) output.answer(`${oneLine(text)}\n`);
}

/** Lines of one tool that people are shown; `--json` has all. */
const LINES_LIMIT = 200;
/** Unchanged lines that are shown around a changed one. */
const AROUND = 2;
const MARKS: Readonly<Record<DiffLine["mark"], string>> = { same: " ", removed: "-", added: "+" };

/** One tool for people, before and after. */
export function* changeLines({ server, name, change, before, after }: ChangeRow): Generator<string> {
  yield `${escapeForDisplay(server)}: ${change}: ${name}`;
  const lines = nearChanges(before === null ? allNew(after) : diffLines(before, after));
  if (lines.length === 0) {
    yield "    what differs is not in what is kept for showing: it is too long, or was masked";
  }
  for (const { mark, text } of lines.slice(0, LINES_LIMIT)) yield `    ${MARKS[mark]} ${text}`;
  if (lines.length > LINES_LIMIT) yield `    … ${lines.length - LINES_LIMIT} more lines; --json has them`;
}

function allNew(after: string): readonly DiffLine[] {
  return after.split("\n").map((text) => ({ mark: "added", text }));
}

function nearChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  for (const [index, { mark }] of lines.entries()) {
    if (mark === "same") continue;
    for (let offset = -AROUND; offset <= AROUND; offset += 1) near.add(index + offset);
  }
  return lines.filter((_, index) => near.has(index));
}

/** Says on stderr, a server a line, that tools differ, or that nobody can tell. */
export function notePins(
  { line, output }: CommandContext,
  servers: readonly ServerState[],
  changes: readonly ChangeRow[],
): void {
  for (const server of servers) {
    if (server.state === "connected" && server.pinProblem !== undefined) {
      const name = escapeForDisplay(server.name);
      output.note(`sallyport: ${name}: its pins: ${shownError(server.pinProblem).message}`);
    }
    const own = changes.filter((row) => row.server === server.name);
    if (own.length === 0) continue;
    const changed = own.filter(({ change }) => change === "changed").length;
    const counts = `${changed} changed and ${own.length - changed} new since they were pinned`;
    const see = fixLine(line, withOperand(["tools"], ["--changes"], server.name));
    output.note(`sallyport: ${escapeForDisplay(server.name)}: of its tools are ${counts}; see ${see}`);
  }
}
