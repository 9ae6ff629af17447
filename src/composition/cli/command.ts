import type { PageOpener } from "../../ports/page-opener.ts";
import type { Person } from "../../ports/person.ts";
import type { CommandLine } from "./arguments.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Output } from "./output.ts";

/** What a verb gets of the world. */
export interface CommandContext {
  readonly line: CommandLine;
  readonly output: Output;
  readonly person: () => Promise<Person>;
  /** Standard input as text, of at most 8 MiB; `undefined` when it is larger, or no UTF-8. */
  readonly readInput: () => Promise<string | undefined>;
  /** Shows a page in the person's browser, where they have one. */
  readonly openPage: PageOpener["open"];
  /** Whether a person watches stderr. */
  readonly watched: boolean;
  readonly signal: AbortSignal;
}

/** One verb. Rejects for an abort and for faults of the machine only. */
export type Command = (context: CommandContext) => Promise<ExitCode>;
