import { decodeSettings, type Settings } from "../../domain/activation/settings.ts";
import type { HomeRefusal, StoreReason } from "../../domain/activation/store-refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import { createStateFile } from "./state-file.ts";

/**
 * Reads `settings.json` in Sallyport's home, which a person writes and Sallyport never does. A missing file settles
 * nothing; one that is not believed is never taken for a missing one.
 */
export async function readHostSettings(options: {
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Outcome<Settings, HomeRefusal>> {
  const file = createStateFile<Settings>({
    folder: options.folder,
    clock: options.clock,
    name: "settings.json",
    decode: (value) => {
      const decoded = decodeSettings(value);
      return decoded.ok ? decoded : refuse<StoreReason>("store-corrupt");
    },
    encode: () => ({}),
    empty: {},
  });
  const loaded = await file.load(options);
  return loaded.ok ? accept(loaded.value) : refuse({ kind: "home", reason: "settings-invalid" });
}
