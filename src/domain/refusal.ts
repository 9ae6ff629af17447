import type { ActivationRefusal } from "./activation/approval.ts";
import type { SourceProblem } from "./definition/container.ts";
import type { DefinitionProblem } from "./definition/problem.ts";
import type { Blocked } from "./definition/resolution.ts";
import type { EgressFailure, EgressRefusal } from "./egress/refusal.ts";
import type { StdioRefusal } from "./launch/refusal.ts";
import type { SessionRefusal } from "./session/refusal.ts";

/** Every refusal that can reach a user of the package. */
export type Refusal =
  | SourceProblem
  | DefinitionProblem
  | Blocked
  | ActivationRefusal
  | EgressRefusal
  | EgressFailure
  | StdioRefusal
  | SessionRefusal;
