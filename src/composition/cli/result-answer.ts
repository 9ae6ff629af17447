import type { CallResult, ResultDiagnostic } from "../../domain/catalog/content-part.ts";
import { resultText } from "../../domain/catalog/result-text.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument } from "./output.ts";
import { fixLine } from "./shell-line.ts";

/** Whose result it is. */
export interface AnsweredTool {
  /** The catalog's name. */
  readonly name: string;
  readonly serverId: string;
  readonly sourceName: string;
}

/** A tool that failed has answered: its words are the answer, and the code says that it failed. */
export function answerResult(
  { line, output }: CommandContext,
  tool: AnsweredTool,
  result: CallResult,
): ExitCode {
  if (line.json) output.answer(jsonDocument(envelope(tool, result)));
  else output.answer(`${resultText(result)}\n`);
  for (const diagnostic of result.diagnostics) {
    const note = noteOf(diagnostic);
    if (note !== undefined) output.note(`sallyport: ${note}`);
  }
  if (result.spilled !== undefined) {
    const { chars, reference } = result.spilled;
    const words = fixLine(line, ["result", reference]);
    output.note(`sallyport: this is the beginning of ${chars} characters; for all of them: ${words}`);
  }
  return result.isError ? EXIT_CODES.toolFailed : EXIT_CODES.done;
}

function noteOf(diagnostic: ResultDiagnostic): string | undefined {
  // Has a line of its own, with the command that helps.
  if (diagnostic === "result-spilled") return undefined;
  if (diagnostic === "result-large") return "the result is large (more than 10,000 characters)";
  return `the result is not as it should be (${diagnostic})`;
}

/** The document of `call --json` and `result --json`. */
function envelope(tool: AnsweredTool, result: CallResult) {
  const { isError, parts, structured, diagnostics, mismatches, spilled } = result;
  return {
    tool: tool.name,
    server: tool.serverId,
    sourceName: tool.sourceName,
    isError,
    content: parts.filter(({ type }) => type !== "structured"),
    structuredContent: structured === undefined ? null : structured.value,
    hasStructuredContent: structured !== undefined,
    diagnostics,
    mismatches,
    ...(spilled !== undefined && { spilled }),
    text: resultText(result),
  };
}
