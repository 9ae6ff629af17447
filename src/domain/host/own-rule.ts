import type { EgressReason } from "../egress/refusal.ts";
import type { StdioReason } from "../launch/refusal.ts";
import type { AuthReason } from "../oauth/refusal.ts";
import type { Refusal } from "../refusal.ts";

/** Whether the policy said no before anything was resolved, or over what was tried. */
const EGRESS: Readonly<Record<EgressReason, boolean>> = {
  "unsupported-scheme": true,
  "insecure-scheme": true,
  userinfo: true,
  "invalid-url": true,
  "private-address": true,
  "metadata-address": true,
  "endpoint-mismatch": true,
  unresolvable: false,
  redirect: false,
  "response-too-large": false,
  timeout: false,
  closed: false,
};

const STDIO: Readonly<Record<StdioReason, boolean>> = {
  "definition-identity": true,
  activation: true,
  authority: true,
  cwd: true,
  environment: true,
  "invalid-input": true,
  start: false,
  "early-exit": false,
  send: false,
  cancelled: false,
  cleanup: false,
  "receive-limit": false,
  "receive-invalid": false,
};

/** What authorizing says before anybody is asked. All else takes an issuer, a server or a program that was run. */
const AUTH_OWN: ReadonlySet<AuthReason> = new Set([
  "sign-in-required",
  "settings-invalid",
  "store-failed",
  "store-unavailable",
  "lock-timeout",
  "helper-not-allowed",
  "helper-untrusted",
]);

/** Whether the host's own rules refused: nothing was started and nobody was contacted. Else it was tried. */
export function isOwnRule(refusal: Refusal): boolean {
  if (refusal.kind === "egress") return EGRESS[refusal.reason];
  if (refusal.kind === "stdio") return STDIO[refusal.reason];
  // A status is an answer of the server's.
  if (refusal.kind === "auth") return refusal.status === undefined && AUTH_OWN.has(refusal.reason);
  return refusal.kind !== "network" && refusal.kind !== "session" && refusal.kind !== "result";
}
