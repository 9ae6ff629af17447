import type { SourceProblem, SourceProblemReason, SourceWarning } from "./container.ts";
import { escapeForDisplay } from "../display-text.ts";
import type { DefinitionNote } from "./definition.ts";
import type { OverlayRefusal } from "./overlay.ts";
import type { DefinitionProblem, DefinitionProblemReason } from "./problem.ts";
import type { Blocked } from "./resolution.ts";

const SOURCE_TEXT: Readonly<Record<SourceProblemReason, string>> = {
  "unreadable-file": "cannot be read: check that it is a file and that you may read it",
  "file-too-large": "is larger than 1 MiB: a server configuration is not",
  "not-utf8": "is not UTF-8 text: save it as UTF-8",
  "invalid-syntax": "has a syntax error",
  "nested-too-deep": "is nested too deep",
  "root-not-object": "has to be one JSON object",
  "servers-missing":
    "has no servers where its format keeps them (`mcpServers`, unless another format was named)",
  "servers-not-object": "keeps its servers in something that is not an object of servers by name",
  "servers-duplicated": "has the object with its servers (`mcpServers`) twice: keep one",
  "too-many-servers": "names more than 10000 servers",
};

const DEFINITION_TEXT: Readonly<Record<DefinitionProblemReason, string>> = {
  "invalid-name": "the server's name is not allowed",
  "duplicate-key": "the same key stands twice",
  "not-object": "the entry is not an object",
  "missing-field": "something is missing",
  "invalid-type": "the value has the wrong type",
  "invalid-value": "the value is not allowed",
  "too-long": "the value is too long",
  "too-many": "there are too many",
  "out-of-range": "the number is out of range",
  "wrong-transport-field": "the field belongs to another transport",
  "ambiguous-transport": "the transport is not clear",
  "unknown-transport": "the transport is not known",
  "secret-in-configuration": "a secret does not belong into a configuration",
  "template-not-allowed": "variables are not expanded here",
  "conflicting-fields": "two settings contradict each other",
};

const WARNING_TEXT: Readonly<Record<SourceWarning["warning"], string>> = {
  "empty-file": "is empty",
  "byte-order-mark": "begins with a byte order mark",
  comments: "has comments, which other programs may not accept",
  "trailing-commas": "has trailing commas, which other programs may not accept",
  "trust-ignored": "has a switch that would approve its own servers; it has no effect here",
};

/** One sentence on what was refused and what fixes it. Never a configured value. */
export function describeDefinitionRefusal(
  refusal: SourceProblem | DefinitionProblem | Blocked | OverlayRefusal,
): string {
  switch (refusal.kind) {
    case "source":
      return describeSourceProblem(refusal);
    case "definition": {
      const where = refusal.path === "" ? "" : `\`${escapeForDisplay(refusal.path)}\`: `;
      return `${where}${DEFINITION_TEXT[refusal.reason]}; expected ${refusal.expected}.`;
    }
    case "blocked":
      return `Blocked until the managed configuration can be read: ${describeSourceProblem(refusal.cause)}`;
    case "overlay":
      break;
  }
  const known = refusal.knownNames.map((name) => escapeForDisplay(name)).join(", ");
  const names = known === "" ? "no server is configured" : `the servers are: ${known}`;
  return `There is no server "${escapeForDisplay(refusal.name)}" to disable; ${names}.`;
}

function describeSourceProblem(problem: SourceProblem): string {
  const place = problem.line === undefined ? "" : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  const hint =
    problem.looksLike === undefined
      ? ""
      : `; it looks like a file of ${problem.looksLike}: name it with --config SOURCE+${problem.looksLike}:FILE`;
  return `${escapeForDisplay(problem.origin)} ${SOURCE_TEXT[problem.reason]}${place}${hint}.`;
}

export function describeSourceWarning(warning: SourceWarning): string {
  return `${escapeForDisplay(warning.origin)} ${WARNING_TEXT[warning.warning]}.`;
}

/** One sentence on something that stops nothing but should be known. */
export function describeDefinitionNote(note: DefinitionNote): string {
  switch (note.note) {
    case "ignored": {
      const keys = note.keys.map((key) => `\`${escapeForDisplay(key)}\``).join(", ");
      return `Not read by Sallyport, and without effect: ${keys}.`;
    }
    case "transport-inferred":
      return `No \`type\` is given; read as ${note.transport}.`;
    case "transport-alias":
      return `\`type\` "${note.alias}" is read as http.`;
    case "env-unused":
      return "`env` has no effect on a server that is not started here.";
    case "translated": {
      const fields = note.fields.map((field) => `\`${escapeForDisplay(field)}\``).join(", ");
      return `Translated from the format of ${note.format}: ${fields}.`;
    }
    case "placeholder-translated":
      return `${note.form} placeholders are read as another host means them.`;
    case "timeout-implausible":
      return `A \`timeout\` of ${note.timeoutMs} ms is unusual; the unit is milliseconds here.`;
    case "foreign-placeholder":
      break;
  }
  return `\`${escapeForDisplay(note.path)}\` holds a ${note.form} placeholder, which is not expanded here.`;
}
