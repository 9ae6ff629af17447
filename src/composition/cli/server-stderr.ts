import { cutText } from "../../domain/catalog/untrusted-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Output } from "./output.ts";

/** Lines kept of each server, and UTF-16 units shown of each line. */
const LINES_KEPT = 20;
const LINE_LIMIT = 500;

/** What servers write to stderr: dropped when all goes well, told when a server failed (X5). */
export interface ServerStderr {
  /** Gets one line, masked by the carrier. */
  readonly onLine: (serverId: string, line: string) => void;
  /** The last lines of this server are to be told, if that failure is one that they can explain. */
  explain(serverId: string, refusal: Refusal): void;
  /** Tells them. To be called when the servers have ended: a line may come after the failure. */
  tell(): void;
}

/** @param passes whether every line is shown as it comes; nothing is told twice then */
export function createServerStderr(output: Output, passes: boolean): ServerStderr {
  const kept = new Map<string, Kept>();
  const failed = new Set<string>();
  return {
    onLine: (serverId, line) => {
      const text = line.length > LINE_LIMIT ? `${cutText(line, LINE_LIMIT)}…` : line;
      const shown = escapeForDisplay(text);
      if (passes) output.note(`[${escapeForDisplay(serverId)}] ${shown}`);
      else keep(kept, serverId, shown);
    },
    explain: (serverId, { kind }) => {
      if (kind === "stdio" || kind === "session") failed.add(serverId);
    },
    tell: () => {
      for (const serverId of failed) {
        const { lines, total } = kept.get(serverId) ?? NOTHING;
        if (lines.length === 0) continue;
        const which = total > lines.length ? `, the last ${lines.length} of ${total} lines` : "";
        output.note(`sallyport: ${escapeForDisplay(serverId)} wrote to stderr${which}:`);
        for (const line of lines) output.note(`  | ${line}`);
      }
    },
  };
}

interface Kept {
  readonly lines: readonly string[];
  readonly total: number;
}

const NOTHING: Kept = { lines: [], total: 0 };

function keep(kept: Map<string, Kept>, serverId: string, line: string): void {
  const { lines, total } = kept.get(serverId) ?? NOTHING;
  kept.set(serverId, { lines: [...lines, line].slice(-LINES_KEPT), total: total + 1 });
}
