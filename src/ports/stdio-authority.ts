import type { LaunchGrant, LaunchRequest } from "../domain/launch/launch-grant.ts";
import type { StdioRefusal } from "../domain/launch/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

export type { LaunchGrant, LaunchRequest } from "../domain/launch/launch-grant.ts";

/** For deciding, as the owner of the machine, what may be executed. */
export interface StdioAuthority {
  decide(request: LaunchRequest): Promise<Outcome<LaunchGrant, StdioRefusal>>;
  /** The generation of now. */
  generation(): Promise<string>;
}
