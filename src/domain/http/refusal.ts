/** Why a definition was not admitted to Streamable HTTP. Closed. */
export const HTTP_ADMISSION_REASONS = [
  /** HTTP+SSE of 2024-11-05 (H7). */
  "sse-transport",
  /** WebSocket (H7). */
  "websocket-transport",
  "disabled",
  /** A template variable had no value and no default (D8). */
  "unset-variable",
  /** The definition asks for a sign-in that this host has no means for (U3). */
  "sign-in-unavailable",
  /** The definition asks for a headers helper that this host does not run (U3). */
  "headers-helper-unavailable",
  /** The host gave the authenticator of another server (U1). */
  "authenticator-mismatch",
  "reserved-header",
  "invalid-header-name",
  "invalid-header-value",
  "duplicate-header",
  "too-many-headers",
] as const;

export type HttpAdmissionReason = (typeof HTTP_ADMISSION_REASONS)[number];

/** Nothing was sent, resolved or opened. A header is told by its position alone: its text is never quoted (H2). */
export interface HttpAdmissionRefusal {
  readonly kind: "http-admission";
  readonly reason: HttpAdmissionReason;
  readonly serverId: string;
  /** 1-based place of the header in the definition. */
  readonly position?: number;
  /** Of `unset-variable`: the first variable without a value. */
  readonly variable?: string;
}
