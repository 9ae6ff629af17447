import type { SignInSettings } from "../domain/oauth/sign-in-settings.ts";
import type { Outcome } from "../domain/outcome.ts";

/** For reading what the person settled about sign-ins. Never out of a workspace (U5, M1). */
export interface SignInSettingsSource {
  /** Read anew each time. `invalid`: there is something, and it is not believed; never taken for "nothing settled". */
  load(options: { readonly signal: AbortSignal }): Promise<Outcome<SignInSettings, "invalid">>;
}
