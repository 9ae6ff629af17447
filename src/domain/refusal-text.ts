import {
  describeActivationDecisionRefusal,
  describeActivationRefusal,
  describeHomeRefusal,
  describeStoreRefusal,
} from "./activation/refusal-text.ts";
import { describeCallRefusal, describeResultRefusal } from "./catalog/refusal-text.ts";
import { describeDefinitionRefusal } from "./definition/refusal-text.ts";
import { describeEgressRefusal } from "./egress/refusal-text.ts";
import { describeTokenRefusal } from "./gate/refusal-text.ts";
import { describeElicitationRefusal } from "./elicitation/refusal-text.ts";
import { describeHostRefusal } from "./host/refusal-text.ts";
import { describeHttpAdmissionRefusal } from "./http/refusal-text.ts";
import { describeStdioRefusal } from "./launch/refusal-text.ts";
import { describeAuthRefusal } from "./oauth/refusal-text.ts";
import type { Refusal } from "./refusal.ts";
import { describeServedCatalogRefusal } from "./serve/refusal-text.ts";
import { describeSessionRefusal } from "./session/refusal-text.ts";
import { describeSkillRefusal } from "./skills/refusal-text.ts";

/**
 * Says in one sentence for a person what was refused, and what fixes it. Never a value, a URL beyond its origin, or
 * server text. Takes a refusal, or the failure of a connection or call that carries one.
 */
export function describeRefusal(refused: Refusal | { readonly refusal: Refusal }): string {
  const refusal = "refusal" in refused ? refused.refusal : refused;
  switch (refusal.kind) {
    case "source":
    case "definition":
    case "blocked":
    case "overlay":
      return describeDefinitionRefusal(refusal);
    case "activation":
      return describeActivationRefusal(refusal);
    case "activation-decision":
      return describeActivationDecisionRefusal(refusal);
    case "store":
      return describeStoreRefusal(refusal);
    case "home":
      return describeHomeRefusal(refusal);
    case "host":
      return describeHostRefusal(refusal);
    case "http-admission":
      return describeHttpAdmissionRefusal(refusal);
    case "egress":
    case "network":
      return describeEgressRefusal(refusal);
    case "stdio":
      return describeStdioRefusal(refusal);
    case "auth":
      return describeAuthRefusal(refusal);
    case "session":
      return describeSessionRefusal(refusal);
    case "skill":
      return describeSkillRefusal(refusal);
    case "elicitation":
      return describeElicitationRefusal(refusal);
    case "served-catalog":
      return describeServedCatalogRefusal(refusal);
    case "call":
      return describeCallRefusal(refusal);
    case "result":
      return describeResultRefusal(refusal);
    case "token":
      return describeTokenRefusal(refusal);
  }
}
