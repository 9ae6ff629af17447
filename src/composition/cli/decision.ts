import type { ApprovalRecord } from "../../domain/activation/approval.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";

/** The document of `approve`, `reject` and `revoke`. */
export interface ShownDecision {
  readonly name: string;
  readonly decision: ApprovalRecord["decision"];
  readonly authority: ApprovalRecord["authority"];
  readonly source: string;
  readonly fingerprint: string;
}

/**
 * Prints what was written.
 *
 * @param since `already`: the same decision stood before; it was written again
 */
export function answerDecision(
  { line, output }: CommandContext,
  record: ApprovalRecord,
  since: "now" | "already" = "now",
): ExitCode {
  const { decision, authority, subject } = record;
  const shown: ShownDecision = {
    name: escapeForDisplay(subject.serverId),
    decision,
    authority,
    source: subject.source,
    fingerprint: subject.provenance.fingerprint,
  };
  const text = since === "now" ? `${decision} ${shown.name}` : `${shown.name} was ${decision} already`;
  output.answer(line.json ? jsonDocument(shown) : `${oneLine(text)}\n`);
  return EXIT_CODES.done;
}
