import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { decodeSignInSettings, type SignInSettings } from "../../domain/oauth/sign-in-settings.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SignInSettingsSource } from "../../ports/sign-in-settings-source.ts";
import { createStateFile } from "./state-file.ts";

export interface FileSignInSettingsOptions {
  /** Sallyport's home: outside every workspace. May hold `auth.json`, mode 0600. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Reads `auth.json`, which a person writes and Sallyport never does. A missing file settles nothing. */
export function createFileSignInSettings(options: FileSignInSettingsOptions): SignInSettingsSource {
  const file = createStateFile<SignInSettings>({
    ...options,
    name: "auth.json",
    decode: (value) => {
      const decoded = decodeSignInSettings(value);
      return decoded.ok ? decoded : refuse<StoreReason>("store-corrupt");
    },
    encode: () => ({}),
    empty: new Map(),
  });
  return {
    load: async (call) => {
      const loaded = await file.load(call);
      return loaded.ok ? accept(loaded.value) : refuse("invalid");
    },
  };
}
