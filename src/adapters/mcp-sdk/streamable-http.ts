import type { ActivationRefusal, ActivationStatus } from "../../domain/activation/approval.ts";
import { materialOf, type ServerDefinition } from "../../domain/definition/definition.ts";
import { secretsOf } from "../../domain/definition/known-secrets.ts";
import type { EgressRefusal } from "../../domain/egress/refusal.ts";
import { admitTarget, type AdmittedTarget, type EgressPolicy } from "../../domain/egress/target.ts";
import { checkHeaders, type HeaderPair } from "../../domain/http/headers.ts";
import {
  asksForAuthentication,
  checkAuthentication,
  checkHttpAdmission,
} from "../../domain/http/admission.ts";
import type { HttpAdmissionRefusal } from "../../domain/http/refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Authenticator } from "../../ports/authenticator.ts";
import { createHttpAuthentication } from "./http-authentication.ts";
import { createHttpCarrier, type HttpCarrier } from "./http-carrier.ts";
import { HTTP_LIMITS, type HttpLimits } from "./http-link.ts";

declare const ADMISSION: unique symbol;

/** Proof that one adapter admitted one definition. Opaque and frozen: it shows nothing of what it stands for. */
export interface HttpAdmission {
  readonly [ADMISSION]: true;
}

/** What can be wrong with a definition that wants to be contacted; nothing was sent or resolved. */
export type HttpRefusal = ActivationRefusal | HttpAdmissionRefusal | EgressRefusal;

export interface StreamableHttpOptions {
  /**
   * The one way out. `createUndiciEgress` resolves, checks and pins every address; an egress of one's own owns
   * its socket policy, and nothing falls back to another (H4b).
   */
  readonly egress: Egress;
  readonly policy: EgressPolicy;
  readonly clock: Clock;
  /** Exact origins that may see a call's trace context (H5). Default: none. */
  readonly traceOrigins?: readonly string[];
  /** Overrides of {@link HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
  /**
   * How long the response headers of a tool call may take, in milliseconds. Default: the definition's timeout,
   * else 60 s, and at least the 30 s of E8. Every other request has the egress' own deadline.
   */
  readonly toolHeadersTimeoutMs?: number;
  /**
   * Answers the authenticator of exactly this definition (U1), asked at each admission once everything before it
   * was in order. One that asks for `oauth` or a `headersHelper` and has none is refused (U3). Another one may
   * have one too, for a server that asks for a sign-in by itself: its requests go without authorization as long
   * as the authenticator says `sign-in-required` and the server has not asked. Default: nobody has one.
   */
  readonly authenticatorFor?: (definition: ServerDefinition) => Authenticator | undefined;
}

export interface StreamableHttpAdapter {
  /**
   * Decides whether a definition may be contacted (H1). Refuses, in this order, for its activation, its
   * transport (H7), an unset variable (D8), an authentication this host cannot do (U3) or for another server
   * (U1), a header (H2), its URL (E1–E4). Does no I/O. Everything it needs is copied: later changes of the input change nothing.
   */
  admit(definition: ServerDefinition, activation: ActivationStatus): Outcome<HttpAdmission, HttpRefusal>;
  /**
   * Makes a carrier for an admission of this very adapter; any other is a `TypeError` with the code
   * `foreign-admission`. Sends nothing. Each call makes a connection of its own.
   */
  construct(admission: HttpAdmission): HttpCarrier;
}

interface Admitted {
  readonly serverId: string;
  readonly target: AdmittedTarget;
  readonly headers: readonly HeaderPair[];
  readonly timeoutMs: number | undefined;
  readonly authenticator: Authenticator | undefined;
  /** Nothing goes without authorization. */
  readonly required: boolean;
  readonly secrets: readonly string[];
}

/** C7b's default for a tool call, and E8's for response headers. */
const TOOL_CALL_MS = 60_000;
const HEADERS_MS = 30_000;

export function createStreamableHttpAdapter(options: StreamableHttpOptions): StreamableHttpAdapter {
  // Kept beside the token, not in it: header values may be secrets.
  const admissions = new WeakMap<HttpAdmission, Admitted>();
  const { egress, clock, toolHeadersTimeoutMs, authenticatorFor = () => undefined } = options;
  const policy: EgressPolicy = { allowDestinations: [...options.policy.allowDestinations] };
  const traceOrigins: ReadonlySet<string> = new Set(options.traceOrigins);
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  return {
    admit(definition, activation) {
      const decided = decide(definition, activation, { policy, authenticatorFor });
      if (!decided.ok) return decided;
      // The one place that brands: everything above said yes.
      const admission = Object.freeze(Object.create(null)) as HttpAdmission;
      admissions.set(admission, decided.value);
      return accept(admission);
    },
    construct(admission) {
      const admitted = admissions.get(admission);
      if (admitted === undefined) {
        const error = new TypeError("the admission was made by another adapter, or by none");
        throw Object.assign(error, { code: "foreign-admission" });
      }
      const { serverId, target, headers, timeoutMs } = admitted;
      const headersMs = toolHeadersTimeoutMs ?? Math.max(HEADERS_MS, timeoutMs ?? TOOL_CALL_MS);
      return createHttpCarrier({
        serverId,
        target,
        headers,
        authentication: createHttpAuthentication(admitted),
        traceOrigins,
        egress,
        clock,
        limits,
        toolHeadersTimeoutMs: headersMs,
      });
    },
  };
}

function decide(
  definition: ServerDefinition,
  activation: ActivationStatus,
  options: {
    readonly policy: EgressPolicy;
    readonly authenticatorFor: NonNullable<StreamableHttpOptions["authenticatorFor"]>;
  },
): Outcome<Admitted, HttpRefusal> {
  const { name: serverId, timeoutMs } = definition;
  const refusal = checkHttpAdmission(definition, activation);
  if (refusal !== undefined) return refuse(refusal);
  const authenticator = options.authenticatorFor(definition);
  const unmet = checkAuthentication(definition, authenticator?.securityIdentity);
  if (unmet !== undefined) return refuse(unmet);
  const material = materialOf(definition);
  if (material.transport === "stdio") throw new TypeError("a stdio definition has no HTTP material");
  const headers = checkHeaders([...material.headers].map(([name, value]) => [name, value.text] as const));
  if (!headers.ok) return refuse({ kind: "http-admission", serverId, ...headers.refusal });
  const target = admitTarget(material.url.text, options.policy);
  if (!target.ok) return target;
  return accept({
    serverId,
    target: target.value,
    headers: headers.value,
    timeoutMs,
    authenticator,
    required: asksForAuthentication(definition),
    secrets: secretsOf(definition),
  });
}
