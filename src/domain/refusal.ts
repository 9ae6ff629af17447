import type { ActivationRefusal } from "./activation/approval.ts";
import type { ActivationDecisionRefusal } from "./activation/decide.ts";
import type { HomeRefusal, StoreRefusal } from "./activation/store-refusal.ts";
import type { CallRefusal, ResultRefusal } from "./catalog/refusal.ts";
import type { SourceProblem } from "./definition/container.ts";
import type { OverlayRefusal } from "./definition/overlay.ts";
import type { DefinitionProblem } from "./definition/problem.ts";
import type { Blocked } from "./definition/resolution.ts";
import type { EgressFailure, EgressRefusal } from "./egress/refusal.ts";
import type { TokenRefusal } from "./gate/token-refusal.ts";
import type { ElicitationRefusal } from "./elicitation/refusal.ts";
import type { HostRefusal } from "./host/refusal.ts";
import type { HttpAdmissionRefusal } from "./http/refusal.ts";
import type { StdioRefusal } from "./launch/refusal.ts";
import type { AuthRefusal } from "./oauth/refusal.ts";
import type { ServedCatalogRefusal } from "./serve/refusal.ts";
import type { SessionRefusal } from "./session/refusal.ts";
import type { SkillRefusal } from "./skills/refusal.ts";

/** Every refusal that can reach a user of the package, told apart by `kind`. */
export type Refusal =
  | SourceProblem
  | DefinitionProblem
  | Blocked
  | OverlayRefusal
  | ActivationRefusal
  | ActivationDecisionRefusal
  | StoreRefusal
  | HomeRefusal
  | HostRefusal
  | HttpAdmissionRefusal
  | EgressRefusal
  | EgressFailure
  | StdioRefusal
  | AuthRefusal
  | SessionRefusal
  | ElicitationRefusal
  | SkillRefusal
  | ServedCatalogRefusal
  | CallRefusal
  | ResultRefusal
  | TokenRefusal;
