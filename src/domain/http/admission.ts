import type { ActivationRefusal, ActivationStatus } from "../activation/approval.ts";
import type { ServerDefinition } from "../definition/definition.ts";
import type { HttpAdmissionReason, HttpAdmissionRefusal } from "./refusal.ts";

/**
 * Checks everything about a definition that comes before its headers and URL, in this order: activation (A3),
 * transport (H7), unset variables (D8). Answers the first refusal.
 *
 * Throws a `TypeError` with the code `not-http` for a stdio definition: choosing the adapter is the caller's.
 */
export function checkHttpAdmission(
  definition: ServerDefinition,
  activation: ActivationStatus,
): ActivationRefusal | HttpAdmissionRefusal | undefined {
  if (definition.transport === "stdio") {
    throw Object.assign(new TypeError("a stdio definition was given to the HTTP adapter"), {
      code: "not-http",
    });
  }
  const serverId = definition.name;
  if (activation.status !== "approved") {
    return { kind: "activation", reason: activation.status, serverId };
  }
  // The status is a value that the caller carries here: it has to be about this very definition (A2).
  if (!isAbout(definition, activation)) return { kind: "activation", reason: "stale", serverId };
  const reason = ownReason(definition);
  if (reason === undefined) return undefined;
  const variable = reason === "unset-variable" ? definition.unsetVariables[0]?.variable : undefined;
  return { kind: "http-admission", reason, serverId, ...(variable !== undefined && { variable }) };
}

function isAbout(
  definition: ServerDefinition,
  { record }: Extract<ActivationStatus, { status: "approved" }>,
): boolean {
  const { subject } = record;
  return (
    record.decision === "approved" &&
    subject.serverId === definition.name &&
    subject.securityIdentity === definition.securityIdentity &&
    subject.provenance.fingerprint === definition.fingerprint
  );
}

function ownReason(definition: ServerDefinition): HttpAdmissionReason | undefined {
  if (definition.transport === "sse") return "sse-transport";
  if (definition.transport === "ws") return "websocket-transport";
  if (definition.disabled) return "disabled";
  return definition.unsetVariables.length > 0 ? "unset-variable" : undefined;
}

/** Whether a definition is never contacted without authorization (U3). */
export function asksForAuthentication({ oauth, hasHeadersHelper }: ServerDefinition): boolean {
  return oauth !== undefined || hasHeadersHelper;
}

/**
 * Checks that the host can do what a definition asks for (U3), and that the authenticator it found belongs to
 * this very definition (U1).
 *
 * @param authenticated the security identity of the authenticator; `undefined`: there is none
 */
export function checkAuthentication(
  definition: ServerDefinition,
  authenticated: string | undefined,
): HttpAdmissionRefusal | undefined {
  const reason = unmetReason(definition, authenticated);
  return reason && { kind: "http-admission", reason, serverId: definition.name };
}

function unmetReason(
  definition: ServerDefinition,
  authenticated: string | undefined,
): HttpAdmissionReason | undefined {
  if (authenticated === definition.securityIdentity) return undefined;
  if (authenticated !== undefined) return "authenticator-mismatch";
  if (definition.oauth !== undefined) return "sign-in-unavailable";
  return definition.hasHeadersHelper ? "headers-helper-unavailable" : undefined;
}
