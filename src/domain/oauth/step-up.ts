import type { BearerChallenge } from "./challenge.ts";
import type { AuthRefusal } from "./refusal.ts";

/**
 * The notice that authorization was good and too narrow (U8): a 403 `insufficient_scope`. `undefined` for every
 * other refusal.
 */
export function stepUpRefusal(
  { status, challenge }: { readonly status: 401 | 403; readonly challenge: BearerChallenge | undefined },
  serverId: string,
): AuthRefusal | undefined {
  if (status !== 403 || challenge?.error !== "insufficient_scope") return undefined;
  const { scopes } = challenge;
  return { kind: "auth", reason: "step-up-required", serverId, status, ...(scopes.length > 0 && { scopes }) };
}
