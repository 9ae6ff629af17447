import type { CommandContext } from "./command.ts";
import { jsonDocument } from "./output.ts";
import { fixLine } from "./shell-line.ts";

export interface ConsentRequest {
  readonly question: string;
  /** The words of the command that says yes beforehand. */
  readonly fix: readonly string[];
}

/**
 * Whether the person says yes: by `--yes`, or at the terminal. With nobody to ask the answer is no, and the
 * command that would be a yes is told (M6).
 */
export async function askConsent(
  context: CommandContext,
  { question, fix }: ConsentRequest,
): Promise<boolean> {
  const { line, output, signal } = context;
  if (line.yes) return true;
  const person = await context.person();
  const consent = await person.confirm(question, { signal });
  if (consent === "yes") return true;
  const reason = consent === "nobody" ? "nobody-to-ask" : "declined";
  const message =
    consent === "nobody"
      ? `nothing was written, since there is no terminal to ask at; to say yes beforehand: ${fixLine(line, fix)}`
      : "nothing was written";
  output.note(`sallyport: ${message}`);
  if (line.json) output.answer(jsonDocument({ error: { kind: "consent", reason, message } }));
  return false;
}
