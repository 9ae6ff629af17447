import { join } from "node:path";

import { pinDocument } from "../../domain/activation/pins.ts";
import type { PinKey, PinSet } from "../../domain/activation/pins.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { StoreReason, StoreRefusal } from "../../domain/activation/store-refusal.ts";
import { sha256Hex } from "../../domain/sha256.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PinStore } from "../../ports/pin-store.ts";
import { type StateFile, createStateFile } from "./state-file.ts";

/** In Sallyport's home. */
const FOLDER = "pins";

export interface FilePinStoreOptions {
  /** Sallyport's home: outside every workspace. Pins are kept in `pins` in it, one file a server and workspace. */
  readonly folder: string;
  readonly clock: Clock;
  /** How long to wait for another process that is writing the same pins, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
}

/**
 * Keeps the pins of each server in a readable file of its own, mode 0600, named by a digest of the server's id and its
 * workspace. Loading creates nothing; what cannot be read strictly, or belongs to another server, is `store-corrupt`
 * and never overwritten.
 */
export function createFilePinStore(options: FilePinStoreOptions): PinStore {
  return {
    load: async (key, call) => asStoreOutcome(await pinFile(key, options).load(call)),
    update: async (key, change, call) => asStoreOutcome(await pinFile(key, options).update(change, call)),
  };
}

function pinFile(key: PinKey, options: FilePinStoreOptions): StateFile<PinSet | undefined> {
  return createStateFile<PinSet | undefined>({
    ...options,
    folder: join(options.folder, FOLDER),
    folderAccess: "private",
    name: `${slotOf(key)}.json`,
    decode: async (value) => {
      const decoded = (await documents()).decodePinDocument(value);
      return decoded.ok && slotOf(decoded.value.key) !== slotOf(key) ? refuse("store-corrupt") : decoded;
    },
    encode: (set) => set && pinDocument(set),
    empty: undefined,
  });
}

/** Its schemas are loaded with the first pins that there are. */
function documents(): Promise<typeof import("../../domain/activation/pin-document.ts")> {
  return import("../../domain/activation/pin-document.ts");
}

/** JSON keeps the two apart whatever characters a server id is made of. */
function slotOf({ serverId, repositoryIdentity }: PinKey): string {
  return sha256Hex(JSON.stringify(["sallyport-pins-1", serverId, repositoryIdentity ?? null])).slice(0, 32);
}

function asStoreOutcome<Value>(outcome: Outcome<Value, StoreReason>): Outcome<Value, StoreRefusal> {
  return outcome.ok ? accept(outcome.value) : refuse({ kind: "store", reason: outcome.refusal });
}
