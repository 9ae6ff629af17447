import type { EgressFailure, EgressReason, EgressRefusal } from "../../domain/egress/refusal.ts";
import { EgressError } from "../../ports/egress.ts";
import type { AuthorizationServerFailure } from "../../ports/authorization-server.ts";

/** What a request function is left with: its failure is known, and nothing of a library's goes on. */
export class ExchangeError extends Error {
  readonly failure: AuthorizationServerFailure;

  constructor(failure: AuthorizationServerFailure) {
    super(failure.reason);
    this.name = "ExchangeError";
    this.failure = failure;
  }
}

const REASONS: Readonly<Record<EgressReason, AuthorizationServerFailure["reason"]>> = {
  redirect: "invalid",
  "response-too-large": "invalid",
  unresolvable: "unreachable",
  timeout: "unreachable",
  closed: "unreachable",
  "unsupported-scheme": "insecure",
  "insecure-scheme": "insecure",
  userinfo: "insecure",
  "invalid-url": "insecure",
  "private-address": "insecure",
  "metadata-address": "insecure",
  "endpoint-mismatch": "insecure",
};

/** Puts what the egress said into the words of the port. */
export function egressFailure(refusal: EgressRefusal | EgressFailure): AuthorizationServerFailure {
  const kind = "authorization-server";
  if (refusal.kind === "network") return { kind, reason: "unreachable" };
  const { reason, status } = refusal;
  return { kind, reason: REASONS[reason], ...(status !== undefined && { status }) };
}

/**
 * Translates what a request threw. The library's own errors carry bodies, claims and tokens, so only their
 * being there is kept: the request could not be made from what the metadata and the client say.
 */
export function translateError(error: unknown): AuthorizationServerFailure {
  if (error instanceof ExchangeError) return error.failure;
  if (error instanceof EgressError) return egressFailure(error.refusal);
  return { kind: "authorization-server", reason: "invalid" };
}
