import { cleanText } from "../../domain/catalog/untrusted-text.ts";
import type { SkillFileContent } from "../../domain/skills/contents.ts";
import { losslessText } from "../../domain/skills/lossless-text.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument } from "./output.ts";

/** Whose file it is. */
export interface AnsweredSkill {
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly skill: string;
}

/**
 * Prints a verified file byte for byte, so that its digest is still the listed one. What a terminal would not show as
 * it is (bytes that are no text, escape sequences, hidden characters) is not printed: the JSON answer has it.
 */
export function answerFile(
  { line, output }: CommandContext,
  { server, skill }: AnsweredSkill,
  { uri, bytes, sha256, untrustedMimeType }: SkillFileContent,
): ExitCode {
  const text = losslessText(bytes);
  if (line.json) {
    const content =
      text === undefined
        ? { text: null, base64: Buffer.from(bytes).toString("base64") }
        : { text, base64: null };
    const mimeType = untrustedMimeType ?? null;
    output.answer(
      jsonDocument({ server, skill, uri, sizeBytes: bytes.length, sha256, mimeType, ...content }),
    );
    return EXIT_CODES.done;
  }
  if (text === undefined || !isPlain(text)) {
    output.note(
      "sallyport: the file was verified, but holds what a terminal does not show as it is; --json has all of it",
    );
    return EXIT_CODES.usage;
  }
  output.answer(text);
  return EXIT_CODES.done;
}

function isPlain(text: string): boolean {
  return cleanText(text.replaceAll("\r\n", "\n"), text.length).changed.length === 0;
}
