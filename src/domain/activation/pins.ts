import type { ActivationSubject } from "./approval.ts";

/** What a host does about tools that are not as they were pinned (A7). Default `report`. */
export type PinPolicy = "hold" | "report" | "off";

/** A tool as it was when somebody took it as it is. */
export interface ToolPin {
  /** The server's own name for it. */
  readonly name: string;
  /** Of the raw definition: 64 hex digits. */
  readonly digest: string;
  /** For people, in lines, cut and masked; empty where a server has more than is kept. Decides nothing. */
  readonly shown: string;
}

/** Which pins are meant: those of a server, in one workspace where its source is bound to one. */
export interface PinKey {
  readonly serverId: string;
  readonly repositoryIdentity?: string;
}

/** All pins of a server, bound to the definition that was approved. */
export interface PinSet {
  readonly key: PinKey;
  /** Of the approved definition; under another one nothing here counts. */
  readonly fingerprint: string;
  /** By name, in the order of the names. */
  readonly tools: readonly ToolPin[];
}

/** A tool as the server discloses it now. `describe` is asked only where a person may want to see it. */
export interface DisclosedTool {
  readonly name: string;
  readonly digest: string;
  readonly describe: () => string;
}

/** A tool that is not as it was pinned. A tool that is gone is no change: it cannot be called. */
export interface ToolChange {
  readonly serverId: string;
  /** The server's own name for it. */
  readonly name: string;
  readonly change: "changed" | "new";
  /** Absent for a new one. */
  readonly before?: ToolPin;
  readonly after: ToolPin;
}

/** UTF-16 units of `shown` that one set keeps: what it is written to stays below what may be read back. */
export const SHOWN_SET_LIMIT = 4_194_304;

export function pinKey({ serverId, workspace }: ActivationSubject): PinKey {
  return workspace === undefined
    ? { serverId }
    : { serverId, repositoryIdentity: workspace.repositoryIdentity };
}

/** Whether a set counts under this approval. A definition that was approved anew is pinned anew. */
export function isBoundTo(set: PinSet | undefined, subject: ActivationSubject): set is PinSet {
  return set !== undefined && set.fingerprint === subject.provenance.fingerprint;
}

/** The first pins under an approval: every tool as it is. */
export function firstPins(subject: ActivationSubject, tools: readonly DisclosedTool[]): PinSet {
  return {
    key: pinKey(subject),
    fingerprint: subject.provenance.fingerprint,
    tools: kept(tools.map((tool) => pinOf(tool))),
  };
}

/** What of the tools of now is not as it was pinned, in their order. */
export function comparePins(set: PinSet, tools: readonly DisclosedTool[]): readonly ToolChange[] {
  const pins = new Map(set.tools.map((pin) => [pin.name, pin]));
  const { serverId } = set.key;
  return tools.flatMap((tool): readonly ToolChange[] => {
    const before = pins.get(tool.name);
    if (before === undefined) return [{ serverId, name: tool.name, change: "new", after: pinOf(tool) }];
    if (before.digest === tool.digest) return [];
    return [{ serverId, name: tool.name, change: "changed", before, after: pinOf(tool) }];
  });
}

/**
 * Pins what a person accepted, exactly as it was shown. `undefined`: another pin is there by now than the one that
 * the change was compared with, so that the person saw something else.
 */
export function acceptChanges(set: PinSet, changes: readonly ToolChange[]): PinSet | undefined {
  const pins = new Map(set.tools.map((pin) => [pin.name, pin]));
  for (const { name, before, after } of changes) {
    if (pins.get(name)?.digest !== before?.digest || name !== after.name) return undefined;
    pins.set(name, after);
  }
  return { ...set, tools: kept([...pins.values()]) };
}

/** Version word of the document. A larger one was written by a later Sallyport. */
export const PINS_VERSION = 1;

/** The document as it is written: readable, one version word, nothing that the decoder would not take back. */
export function pinDocument({ key, fingerprint, tools }: PinSet): unknown {
  return { version: PINS_VERSION, ...key, fingerprint, tools };
}

function pinOf({ name, digest, describe }: DisclosedTool): ToolPin {
  return { name, digest, shown: describe() };
}

function kept(pins: readonly ToolPin[]): readonly ToolPin[] {
  let room = SHOWN_SET_LIMIT;
  return pins
    .toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
    .map((pin) => {
      room -= pin.shown.length;
      return room >= 0 ? pin : { name: pin.name, digest: pin.digest, shown: "" };
    });
}
