import type { ActivationSubject } from "../../domain/activation/approval.ts";
import { acceptChanges, comparePins, firstPins, isBoundTo, pinKey } from "../../domain/activation/pins.ts";
import type { DisclosedTool, PinSet, ToolChange } from "../../domain/activation/pins.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { HostRefusal } from "../../domain/host/refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { PinStore } from "../../ports/pin-store.ts";

export interface PinPorts {
  readonly pins: PinStore;
  readonly signal: AbortSignal;
}

/**
 * Compares the tools of a server with what was pinned under its approval (A7). The first discovery under an approval pins
 * them as they are, once, whichever process comes first; a list without any tool pins nothing, since it may be one that
 * failed. Without a readable store there is no answer.
 */
export async function checkPins(
  subject: ActivationSubject,
  tools: readonly DisclosedTool[],
  { pins, signal }: PinPorts,
): Promise<Outcome<readonly ToolChange[], StoreRefusal>> {
  if (tools.length === 0) return accept([]);
  const key = pinKey(subject);
  const loaded = await pins.load(key, { signal });
  if (!loaded.ok) return loaded;
  if (isBoundTo(loaded.value, subject)) return accept(comparePins(loaded.value, tools));
  const pinned = await pins.update(
    key,
    (set) => (isBoundTo(set, subject) ? set : firstPins(subject, tools)),
    { signal },
  );
  if (!pinned.ok) return pinned;
  return isBoundTo(pinned.value, subject)
    ? accept(comparePins(pinned.value, tools))
    : refuse({ kind: "store", reason: "store-failed" });
}

/**
 * Pins what a person accepted, as it was shown. Refuses with `changed-meanwhile`, and writes nothing, when the pins are
 * others by now than those that the changes were compared with.
 */
export async function acceptTools(
  subject: ActivationSubject,
  changes: readonly ToolChange[],
  { pins, signal }: PinPorts,
): Promise<Outcome<PinSet, StoreRefusal | HostRefusal>> {
  const { serverId } = subject;
  let seen = false;
  const written = await pins.update(
    pinKey(subject),
    (set) => {
      const next = isBoundTo(set, subject) ? acceptChanges(set, changes) : undefined;
      seen = next !== undefined && changes.every((change) => change.serverId === serverId);
      return seen ? next : set;
    },
    { signal },
  );
  if (!written.ok) return written;
  return seen && written.value !== undefined
    ? accept(written.value)
    : refuse({ kind: "host", reason: "changed-meanwhile", serverId });
}
