import { isJsonObject, own } from "../json-value.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { PinPolicy } from "./pins.ts";

/** What a person settled for good, in Sallyport's own home: nothing of a workspace decides it (M1). */
export interface Settings {
  /** A7. Absent: nothing is settled. */
  readonly pins?: PinPolicy;
}

export const SETTINGS_VERSION = 1;

const PIN_POLICIES: readonly PinPolicy[] = ["hold", "report", "off"];
const KEYS: ReadonlySet<string> = new Set(["version", "pins"]);

/** Decodes what a person wrote, strictly: a misspelled setting that is passed over would settle nothing. */
export function decodeSettings(value: unknown): Outcome<Settings, "invalid"> {
  if (!isJsonObject(value) || own(value, "version") !== SETTINGS_VERSION) return refuse("invalid");
  if (!Object.keys(value).every((key) => KEYS.has(key))) return refuse("invalid");
  const written = own(value, "pins");
  if (written === undefined) return accept({});
  const pins = PIN_POLICIES.find((policy) => policy === written);
  return pins === undefined ? refuse("invalid") : accept({ pins });
}
