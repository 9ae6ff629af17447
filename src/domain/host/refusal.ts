/** What a host refuses before any carrier is asked. Closed set. */
export type HostReason =
  | "unknown-server"
  | "unresolved"
  | "disabled"
  /** Misconfigured: a template variable has no value and no default (D8). `keys` names it. */
  | "unset-variable"
  /** A local, project or plugin server was named without a workspace. */
  | "no-workspace"
  /** Nothing can be approved: the executable is not there, or its working directory is not. */
  | "executable-not-found"
  | "cwd-not-found"
  /** Each code-changing variable, and a shell, wants its own yes (M4). */
  | "needs-allow-env"
  | "needs-allow-shell"
  /** Masking would hide from the approver which code runs (M2, D16): a credential stands where a program is named. */
  | "program-hidden"
  /** A key was allowed that the definition does not set. */
  | "env-key-not-defined"
  /** What the person saw is not what is there now: propose it again. */
  | "changed-meanwhile"
  /** Only an HTTP server without a headers helper, and without a secret in its URL, can be signed in to. */
  | "no-sign-in"
  | "closed";

export interface HostRefusal {
  readonly kind: "host";
  readonly reason: HostReason;
  readonly serverId: string;
  /** Variables or environment keys the reason is about. */
  readonly keys?: readonly string[];
}
