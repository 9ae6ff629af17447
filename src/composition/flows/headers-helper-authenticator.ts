import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { HELPER_LIMITS, parseHelperOutput } from "../../domain/oauth/headers-helper-output.ts";
import type { AuthReason, AuthRefusal } from "../../domain/oauth/refusal.ts";
import { stepUpRefusal } from "../../domain/oauth/step-up.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Authenticator, Authorization } from "../../ports/authenticator.ts";
import type { HelperRunner } from "../../ports/helper-runner.ts";
import { approveHelper, helperOf, type HelperPermission, type HelperSurroundings } from "./helper-launch.ts";
import { createSharedRun } from "./shared-run.ts";

export interface HeadersHelperOptions extends HelperSurroundings {
  /** One with a `headersHelper`; any other is a `TypeError` with the code `no-headers-helper`. */
  readonly definition: ServerDefinition;
  /** Asked right before every run, so that what was withdrawn meanwhile counts. A rejection allows nothing. */
  readonly permission: () => Promise<HelperPermission>;
  readonly runner: HelperRunner;
}

/**
 * Makes an authenticator whose headers a local program prints (U4). The program runs when the first request needs
 * it and again after a refusal, once for all callers at that moment. It is started only while the host's list
 * has its exact argument vector, and a definition that comes from a workspace only while that is trusted.
 *
 * Refuses with the `helper-*` reasons, and hands a 403 `insufficient_scope` on as `step-up-required`.
 */
export function createHeadersHelperAuthenticator(options: HeadersHelperOptions): Authenticator {
  const { name: serverId, securityIdentity } = options.definition;
  helperOf(options.definition);
  let current: Authorization | undefined;
  let runs = 0;
  const runFresh = createSharedRun(async (signal): Promise<Outcome<Authorization, AuthRefusal>> => {
    const headers = await runHelper(options, signal);
    if (!headers.ok) return refuse({ kind: "auth", reason: headers.refusal, serverId });
    runs += 1;
    current = { headers: headers.value, generation: `helper-${runs}` };
    return accept(current);
  });
  return {
    securityIdentity,
    authorize: async ({ signal }) => {
      signal.throwIfAborted();
      return current === undefined ? runFresh(signal) : accept(current);
    },
    onRejected: async (rejection, { signal }) => {
      signal.throwIfAborted();
      // The same headers again would be as narrow.
      const stepUp = stepUpRefusal(rejection, serverId);
      if (stepUp !== undefined) return refuse(stepUp);
      if (current?.generation === rejection.generation) current = undefined;
      // Who was refused while another was already at it, or before that one's headers came, uses those.
      const fresh = current === undefined ? await runFresh(signal) : accept(current);
      return fresh.ok ? accept("retry") : fresh;
    },
  };
}

async function runHelper(
  options: HeadersHelperOptions,
  signal: AbortSignal,
): Promise<Outcome<Authorization["headers"], AuthReason>> {
  const permission = await options.permission().catch(() => undefined);
  if (permission === undefined) return refuse("helper-not-allowed");
  const launch = await approveHelper(options.definition, permission, options);
  signal.throwIfAborted();
  if (!launch.ok) return launch;
  const { timeoutMs, outputBytes: outputLimitBytes } = HELPER_LIMITS;
  const output = await options.runner.run(launch.value, { signal, timeoutMs, outputLimitBytes });
  return output.ok ? parseHelperOutput(output.value) : output;
}
