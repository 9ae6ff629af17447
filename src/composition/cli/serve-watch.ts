import type { Clock } from "../../ports/clock.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { GatewaySession } from "../serve/gateway.ts";

/** How long a revocation by another process may go unseen (A6b). A look reads a handful of small files. */
export const LOOK_AGAIN_MS = 2_000;

/**
 * Looks at configuration and approvals again and again: what is not approved any more is closed, and what came is
 * served. Ends with the signal; rejects when they cannot be read, as nobody could say then what is approved.
 */
export async function watchApprovals(
  host: Pick<McpHost, "reload">,
  session: Pick<GatewaySession, "refresh">,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for (;;) {
      await clock.wait(LOOK_AGAIN_MS, { signal });
      await host.reload();
      session.refresh();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
