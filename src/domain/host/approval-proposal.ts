import type { ActivationSubject } from "../activation/approval.ts";
import type { FieldChange } from "../activation/field-changes.ts";
import type { CoveredField } from "../definition/covered-field.ts";
import type { ServerDefinition } from "../definition/definition.ts";

/** What would be started, as the machine has it at this moment (M2). No value of a variable is in it. */
export interface LaunchProposal {
  /** Absolute path as found, symbolic links kept. */
  readonly foundAt: string;
  /** Canonical path: this file, and no other, is approved. */
  readonly executable: string;
  readonly cwd: string;
  /** Definition env keys that would pass to the child, sorted. */
  readonly envKeys: readonly string[];
  /** Those of them that change which code runs. */
  readonly codeChangingEnvKeys: readonly string[];
  /** Whether the executable runs whatever its arguments say. */
  readonly shell: boolean;
}

/** Everything an approver has to see, and nothing decided yet. */
export interface ApprovalProposal {
  readonly definition: ServerDefinition;
  readonly subject: ActivationSubject;
  readonly covered: readonly CoveredField[];
  /** Against the newest approval of the same server; empty when there was none. */
  readonly changes: readonly FieldChange[];
  /** Of a stdio server, or of the program that prints an HTTP server's headers (U4). */
  readonly launch: LaunchProposal | undefined;
  /** What has to be allowed by name before the approval can be recorded (M4). */
  readonly missing: { readonly envKeys: readonly string[]; readonly shell: boolean };
}
