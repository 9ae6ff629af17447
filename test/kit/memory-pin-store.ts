import type { PinKey, PinSet } from "../../src/domain/activation/pins.ts";
import { accept } from "../../src/domain/outcome.ts";
import type { PinStore } from "../../src/ports/pin-store.ts";

/** Keeps pins as long as the test runs. */
export function createMemoryPinStore(): PinStore {
  const sets = new Map<string, PinSet>();
  return {
    load: async (key, { signal }) => {
      signal.throwIfAborted();
      return accept(sets.get(slotOf(key)));
    },
    update: async (key, change, { signal }) => {
      signal.throwIfAborted();
      const next = change(sets.get(slotOf(key)));
      if (next !== undefined) sets.set(slotOf(key), next);
      return accept(next);
    },
  };
}

function slotOf({ serverId, repositoryIdentity }: PinKey): string {
  return JSON.stringify([serverId, repositoryIdentity ?? null]);
}
