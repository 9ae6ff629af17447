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

/** Prints what was written. */
export function answerDecision({ line, output }: CommandContext, record: ApprovalRecord): ExitCode {
  const { decision, authority, subject } = record;
  const shown: ShownDecision = {
    name: escapeForDisplay(subject.serverId),
    decision,
    authority,
    source: subject.source,
    fingerprint: subject.provenance.fingerprint,
  };
  output.answer(line.json ? jsonDocument(shown) : `${oneLine(`${decision} ${shown.name}`)}\n`);
  return EXIT_CODES.done;
}
