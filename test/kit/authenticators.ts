import type { AuthRefusal } from "../../src/domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import { Secret } from "../../src/domain/secret.ts";
import type { Authenticator, Authorization, Rejection } from "../../src/ports/authenticator.ts";

/** The security identity of `httpDefinition()`. */
export const DOCS_IDENTITY: string = "1".repeat(64);

export type Step = Authorization | AuthRefusal;

export interface ScriptedAuthenticator extends Authenticator {
  /** How often it was asked to authorize. */
  readonly asked: () => number;
  readonly rejections: Rejection[];
}

/** Headers as an authenticator gives them. */
export function authorization(generation: string, headers: Readonly<Record<string, string>>): Authorization {
  return {
    generation,
    headers: Object.entries(headers).map(([name, value]) => [name, new Secret(value)] as const),
  };
}

export function bearer(token: string): Authorization {
  return authorization(token, { authorization: `Bearer ${token}` });
}

export function authRefusal(reason: AuthRefusal["reason"], more: Partial<AuthRefusal> = {}): AuthRefusal {
  return { kind: "auth", reason, serverId: "docs", ...more };
}

/**
 * An authenticator that answers one step after the other, the last one for ever. A rejection moves it on, unless
 * `onRejected` says no.
 */
export function scriptedAuthenticator(
  steps: readonly Step[],
  options: {
    readonly onRejected?: (rejection: Rejection) => Outcome<"retry", AuthRefusal>;
    readonly securityIdentity?: string;
  } = {},
): ScriptedAuthenticator {
  const rejections: Rejection[] = [];
  let asked = 0;
  let step = 0;
  return {
    securityIdentity: options.securityIdentity ?? DOCS_IDENTITY,
    asked: () => asked,
    rejections,
    async authorize({ signal }) {
      signal.throwIfAborted();
      asked += 1;
      const current = steps[Math.min(step, steps.length - 1)];
      if (current === undefined) throw new Error("no step was given");
      return "kind" in current ? refuse(current) : accept(current);
    },
    async onRejected(rejection) {
      rejections.push(rejection);
      step += 1;
      return options.onRejected?.(rejection) ?? accept("retry");
    },
  };
}
