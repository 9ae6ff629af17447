import { signInEvent } from "../../../domain/activation/audit-event.ts";
import type { AuthRefusal } from "../../../domain/oauth/refusal.ts";
import type { Outcome } from "../../../domain/outcome.ts";
import type { OauthPorts } from "./oauth-server.ts";

/** Appends how a sign-in ended (A6), and that `resource` was left out where the host said so. */
export async function auditSignIn(
  server: { readonly serverId: string; readonly securityIdentity: string },
  outcome: Outcome<{ readonly resourceOmitted: boolean }, AuthRefusal>,
  { audit, clock }: Pick<OauthPorts, "audit" | "clock">,
): Promise<void> {
  const reason = outcome.ok
    ? outcome.value.resourceOmitted
      ? "resource-omitted"
      : undefined
    : `auth/${outcome.refusal.reason}`;
  const action = outcome.ok ? "sign-in" : "sign-in-refused";
  await audit.append(signInEvent({ ...server, action, atMs: clock.nowMs(), reason }));
}
