import * as v from "valibot";

import { DEFINITION_SOURCES } from "../definition/definition.ts";
import { isServerName } from "../names.ts";
import { AUDIT_ACTIONS, type AuditEvent } from "./audit-event.ts";

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const event = v.strictObject({
  action: v.picklist(AUDIT_ACTIONS),
  atMs: count,
  serverId: v.exactOptional(v.pipe(v.string(), v.check(isServerName))),
  source: v.exactOptional(v.picklist(DEFINITION_SOURCES)),
  fingerprint: v.exactOptional(digest),
  securityIdentity: v.exactOptional(digest),
  repositoryIdentity: v.exactOptional(digest),
  generation: v.exactOptional(count),
  authority: v.exactOptional(v.picklist(["managed", "user", "local"])),
  // Closed words only: no URL, header, argument or message has this form (A6).
  reason: v.exactOptional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64})?$/))),
});

/**
 * Writes an event as one JSON line, without its end. Only the fields of an event get in, each in its own closed form.
 *
 * @throws TypeError with code `audit-event-invalid`: somebody tried to log what does not belong there (A6).
 */
export function encodeAuditEvent(value: AuditEvent): string {
  const checked = v.safeParse(event, value);
  // The issues of the parse quote what was given, so none of them goes on.
  if (!checked.success) {
    throw Object.assign(new TypeError("not an audit event"), { code: "audit-event-invalid" });
  }
  return JSON.stringify(checked.output);
}

/** Reads one line back; `undefined` when it is cut, or was not written by {@link encodeAuditEvent}. */
export function decodeAuditLine(line: string): AuditEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const checked = v.safeParse(event, value);
  return checked.success ? checked.output : undefined;
}
