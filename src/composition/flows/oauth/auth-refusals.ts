import type { AuthFault, AuthReason, AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { refuse } from "../../../domain/outcome.ts";
import type { AuthorizationServerFailure } from "../../../ports/authorization-server.ts";
import type { CredentialStoreRefusal } from "../../../ports/credential-store.ts";
import type { RefreshLockRefusal } from "../../../ports/refresh-lock.ts";

/** Gives a fault its owner. */
export function refuseAuth(
  { serverId }: { readonly serverId: string },
  fault: AuthFault,
): { readonly ok: false; readonly refusal: AuthRefusal } {
  return refuse({ kind: "auth", serverId, ...fault });
}

export function storeFault({ reason }: CredentialStoreRefusal): AuthFault {
  return reason === "store-unavailable" ? { reason } : { reason: "store-failed" };
}

export function lockFault({ reason }: RefreshLockRefusal): AuthFault {
  return { reason: reason === "lock-timeout" ? "lock-timeout" : "store-failed" };
}

/** What was asked for when it failed. */
export type AuthStage = "resource-metadata" | "server-metadata" | "registration" | "token";

const ABSENT: Readonly<Record<AuthStage, AuthReason>> = {
  "resource-metadata": "resource-metadata-missing",
  "server-metadata": "server-metadata-missing",
  registration: "registration-failed",
  token: "token-refused",
};

const INVALID: Readonly<Record<AuthStage, AuthReason>> = {
  "resource-metadata": "resource-metadata-invalid",
  "server-metadata": "server-metadata-invalid",
  registration: "registration-failed",
  token: "token-response-invalid",
};

/** Puts an exchange that failed into words of the closed set. */
export function failureFault(failure: AuthorizationServerFailure, stage: AuthStage): AuthFault {
  return {
    reason: reasonOf(failure, stage),
    ...(failure.field !== undefined && { field: failure.field }),
    ...(failure.status !== undefined && { status: failure.status }),
  };
}

function reasonOf({ reason, error }: AuthorizationServerFailure, stage: AuthStage): AuthReason {
  switch (reason) {
    case "absent":
      return ABSENT[stage];
    case "invalid":
      return INVALID[stage];
    case "insecure":
      return "endpoint-insecure";
    case "unreachable":
      return "unreachable";
    case "refused":
      break;
  }
  if (stage !== "token") return ABSENT[stage];
  if (error === "invalid_client") return "invalid-client";
  return error === "invalid_grant" ? "grant-refused" : "token-refused";
}
