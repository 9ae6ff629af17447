import { escapeForDisplay } from "../../domain/display-text.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { describeRefusal } from "../../domain/refusal-text.ts";
import type { ServerFailure } from "../host/connections.ts";
import type { CommandLine } from "./arguments.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES, exitCodeOf } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { fixLine, withOperand } from "./shell-line.ts";

/** A refusal in a JSON answer. */
export interface ShownError {
  readonly kind: string;
  readonly reason: string;
  readonly message: string;
  /** The server's own words: untrusted; the carrier has masked the definition's secrets in them. */
  readonly said?: string;
}

export function shownError(refusal: Refusal): ShownError {
  return { kind: refusal.kind, reason: refusal.reason, message: oneLine(describeRefusal(refusal)) };
}

/** As {@link shownError}, and what the server said to it. */
export function shownFailure({ refusal, untrusted }: ServerFailure): ShownError {
  const error = shownError(refusal);
  if (untrusted === undefined || untrusted.message === "") return error;
  return { ...error, said: escapeForDisplay(untrusted.message) };
}

/** Names the server in a sentence that does not: `NAME: …` at its beginning, or the quoted name, says which it is. */
export function named(serverName: string, message: string): string {
  const shown = oneLine(escapeForDisplay(serverName));
  const does = message.startsWith(`${shown}: `) || message.includes(`"${shown}"`);
  return does ? message : `${shown}: ${message}`;
}

/** Ends a command with a refusal: one line on stderr; with `--json` the answer is the refusal. */
export function reportRefusal(context: CommandContext, refusal: Refusal, fix?: string): ExitCode {
  return reportError(context, refusal, { error: shownError(refusal), ...(fix !== undefined && { fix }) });
}

/** As {@link reportRefusal}, with the server's own words on a line of their own, and its name where that is known. */
export function reportFailure(
  context: CommandContext,
  failure: ServerFailure,
  serverName?: string,
): ExitCode {
  const error = shownFailure(failure);
  return reportError(context, failure.refusal, {
    error: serverName === undefined ? error : { ...error, message: named(serverName, error.message) },
  });
}

/** As {@link reportRefusal}, in words that know more than the refusal does. */
export function reportAs(context: CommandContext, refusal: Refusal, message: string): ExitCode {
  return reportError(context, refusal, { error: { ...shownError(refusal), message: oneLine(message) } });
}

function reportError(
  { output, line }: CommandContext,
  refusal: Refusal,
  { error, fix = fixOf(refusal, line) }: { readonly error: ShownError; readonly fix?: string | undefined },
): ExitCode {
  output.note(`sallyport: ${withFix(error.message, fix)}`);
  if (error.said !== undefined) output.note(`sallyport: the server says: ${error.said}`);
  if (line.json) output.answer(jsonDocument({ error }));
  return exitCodeOf(refusal);
}

/** A sentence, and the command that helps. */
export function withFix(message: string, fix: string | undefined): string {
  return fix === undefined ? message : `${message.replace(/\.$/, "")}; here: ${fix}`;
}

/** What a person does about a server that wants a sign-in, or a wider one. */
function signInWords(refusal: Refusal): readonly string[] | undefined {
  if (refusal.kind !== "auth" && refusal.kind !== "session") return undefined;
  if (exitCodeOf(refusal) !== EXIT_CODES.signIn) return undefined;
  const scopes = refusal.kind === "auth" ? (refusal.scopes ?? []) : [];
  const flags = scopes.length === 0 ? [] : [`--scope=${scopes.join(" ")}`];
  return withOperand(["login"], flags, escapeForDisplay(refusal.serverId));
}

/** The sentences name the command; where flags chose other places than the default, it needs them too. */
export function fixOf(refusal: Refusal, line: CommandLine): string | undefined {
  const signIn = signInWords(refusal);
  if (signIn !== undefined) return fixLine(line, signIn);
  if (refusal.kind !== "activation" && refusal.kind !== "activation-decision") return undefined;
  if (line.workspace === undefined && line.home === undefined && line.config.length === 0) return undefined;
  const words =
    refusal.reason === "untrusted"
      ? ["trust"]
      : withOperand(["approve"], [], escapeForDisplay(refusal.serverId));
  return fixLine(line, words);
}
