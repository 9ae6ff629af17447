import type { Credential } from "../../../domain/oauth/credential.ts";
import { freshnessOf } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import type { Authenticator, Authorization } from "../../../ports/authenticator.ts";
import { refuseAuth } from "./auth-refusals.ts";
import { waitFor } from "./bounded-exchange.ts";
import { createCredentialMemory } from "./credential-memory.ts";
import type { OauthPorts, OauthServer } from "./oauth-server.ts";
import { createRenewal } from "./renew-credential.ts";
import { createAnswers, onForbidden, onUnauthorized, type RejectionContext } from "./answer-rejection.ts";
import { createStepUps } from "./step-ups.ts";

export interface OauthAuthenticatorOptions {
  readonly server: OauthServer;
  readonly ports: Omit<OauthPorts, "audit">;
}

/**
 * Creates the authenticator of one server (U1, U2, U8, U10): it supplies the stored token, renews it before it
 * ends or when it is refused, once among all callers and processes, and never asks a person. It refuses with
 * `sign-in-required`, `step-up-required` (with the scopes), `step-up-limit`, `rejected`, `refresh-impossible`,
 * `grant-refused`, `invalid-client`, `token-refused`, `token-response-invalid`, `endpoint-insecure`,
 * `lock-timeout`, `store-failed`, `store-unavailable` or `unreachable`.
 */
export function createOAuthAuthenticator({ server, ports }: OauthAuthenticatorOptions): Authenticator {
  const context: RejectionContext = {
    server,
    ports,
    renew: createRenewal(ports),
    memory: createCredentialMemory(server, ports),
    stepUps: createStepUps(ports.clock),
    answers: createAnswers(ports.clock),
  };
  return {
    securityIdentity: server.securityIdentity,
    authorize: async ({ signal }) => {
      signal.throwIfAborted();
      const authorized = await authorize(context, signal);
      return authorized.ok ? authorized : refuseAuth(server, authorized.refusal);
    },
    onRejected: async (rejection, { signal }) => {
      signal.throwIfAborted();
      const answer =
        rejection.status === 401
          ? await onUnauthorized(context, { rejection, signal })
          : await onForbidden(context, { rejection, signal });
      return answer.ok ? answer : refuseAuth(server, answer.refusal);
    },
  };
}

async function authorize(
  { memory, renew, ports }: RejectionContext,
  signal: AbortSignal,
): Promise<Outcome<Authorization, AuthFault>> {
  const loaded = await memory.load(signal);
  if (!loaded.ok) return loaded;
  const { tokens, grant } = loaded.value;
  if (tokens === undefined && grant !== "client_credentials") return refuse({ reason: "sign-in-required" });
  const freshness = tokens === undefined ? "expired" : freshnessOf(tokens, ports.clock.nowMs());
  if (freshness === "fresh") return supply(loaded.value);
  const renewed = await waitFor(renew(loaded.value), signal);
  memory.forget();
  if (renewed.ok) return supply(renewed.value);
  // Near its end, and still good: a server that is down for a moment stops nobody yet.
  if (freshness === "early" && !isFinal(renewed.refusal)) return supply(loaded.value);
  return renewed.refusal.reason === "refresh-impossible" ? refuse({ reason: "sign-in-required" }) : renewed;
}

/** Whether the store has dropped, or never had, what would be supplied. */
function isFinal({ reason }: AuthFault): boolean {
  return reason === "grant-refused" || reason === "invalid-client" || reason === "sign-in-required";
}

function supply({ tokens, generation }: Credential): Outcome<Authorization, AuthFault> {
  if (tokens === undefined) return refuse({ reason: "sign-in-required" });
  return accept({ headers: [["authorization", tokens.accessToken.withPrefix("Bearer ")]], generation });
}

export { isOurs } from "./credential-memory.ts";
