import type { AuditEvent } from "../../domain/activation/audit-event.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { Command } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { withHost } from "./with-host.ts";

/** Prints the log, newest last. */
export const audit: Command = (context) =>
  withHost(context, "ignores", async (host) => {
    const { line, output, signal } = context;
    const events: AuditEvent[] = [];
    for await (const event of host.audit({ signal })) {
      if (line.json) events.push(event);
      else output.answer(`${oneLine(eventLine(event))}\n`);
    }
    if (line.json) output.answer(jsonDocument({ events }));
    return EXIT_CODES.done;
  });

/** Latest time that a `Date` can hold. */
const LATEST_MS = 8.64e15;

function eventLine({ action, atMs, serverId, source, authority, reason, generation }: AuditEvent): string {
  const time = new Date(Math.min(atMs, LATEST_MS)).toISOString();
  const details = [
    serverId === undefined ? undefined : escapeForDisplay(serverId),
    source === undefined ? undefined : `source ${source}`,
    authority === undefined ? undefined : `by ${authority}`,
    serverId !== undefined || generation === undefined ? undefined : `generation ${generation}`,
    reason,
  ];
  return [time, action, ...details.filter((detail) => detail !== undefined)].join("  ");
}
