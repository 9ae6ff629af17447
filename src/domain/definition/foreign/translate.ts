import { accept } from "../../outcome.ts";
import type { JsonObject } from "../../json-value.ts";
import type { DefinitionNote } from "../definition.ts";
import type { Read } from "../fields.ts";
import type { DefinitionProblem } from "../problem.ts";
import { draftOf } from "./draft.ts";
import type { ConfigFormat, KnownFolders } from "./format.ts";
import { translatePlaceholders, type TranslatedForm } from "./placeholders.ts";
import {
  bearerVariable,
  commandList,
  commandObject,
  headerVariables,
  inheritedVariables,
  opencodeOauth,
  rename,
  requestTimeout,
  seconds,
  toolLists,
  typeWords,
  type Rule,
} from "./rules.ts";

interface Dialect {
  readonly rules: readonly Rule[];
  readonly placeholders: readonly TranslatedForm[];
}

const EDITOR_FORMS = ["${env:NAME}", "${workspaceFolder}", "${userHome}"] as const;

/** What each host's documentation says of its entries. Whatever is not here means the same as ours, or is a note. */
const DIALECTS: Readonly<Record<Exclude<ConfigFormat, "mcp">, Dialect>> = {
  cursor: { rules: [], placeholders: EDITOR_FORMS },
  vscode: { rules: [], placeholders: EDITOR_FORMS },
  gemini: {
    rules: [rename("httpUrl", "url"), toolLists({ allow: "includeTools", deny: "excludeTools" })],
    placeholders: ["$NAME"],
  },
  windsurf: {
    rules: [rename("serverUrl", "url"), toolLists({ deny: "disabledTools" })],
    placeholders: ["${env:NAME}"],
  },
  cline: { rules: [typeWords({}, "transportType"), seconds("timeout")], placeholders: ["${env:NAME}"] },
  roo: {
    rules: [seconds("timeout"), toolLists({ deny: "disabledTools" })],
    placeholders: ["${env:NAME}", "${workspaceFolder}"],
  },
  opencode: {
    rules: [
      typeWords({ local: "stdio", remote: "http" }),
      commandList,
      rename("environment", "env"),
      opencodeOauth,
      requestTimeout,
    ],
    placeholders: ["{env:NAME}"],
  },
  codex: {
    rules: [
      seconds("tool_timeout_sec"),
      rename("http_headers", "headers"),
      bearerVariable("bearer_token_env_var"),
      headerVariables("env_http_headers"),
      inheritedVariables("env_vars"),
      toolLists({ allow: "enabled_tools", deny: "disabled_tools" }),
    ],
    placeholders: [],
  },
  zed: { rules: [commandObject], placeholders: [] },
};

export interface TranslatedEntry {
  readonly value: JsonObject;
  readonly notes: readonly DefinitionNote[];
  /** Puts the file's own word for a field back into what the decoder found. */
  readonly asWritten: (found: DefinitionProblem) => DefinitionProblem;
}

/** Brings an entry of another host's format into the canonical shape (D1c). Pure; nothing is obeyed that grants trust. */
export function translateEntry(
  entry: JsonObject,
  { format, folders }: { readonly format: ConfigFormat; readonly folders: KnownFolders },
): Read<TranslatedEntry> {
  // Nearly every entry is in our own format: there is nothing to copy.
  if (format === "mcp") return accept({ value: entry, notes: [], asWritten: (found) => found });
  const { rules, placeholders } = DIALECTS[format];
  const draft = draftOf(entry);
  for (const rule of rules) {
    const applied = rule(draft);
    if (!applied.ok) return applied;
  }
  const forms = translatePlaceholders(draft.fields, placeholders, folders);
  const fields = [...new Set(draft.written.values())];
  return accept({
    value: Object.fromEntries(draft.fields),
    notes: [
      ...(fields.length > 0 ? [{ note: "translated", format, fields } as const] : []),
      ...forms.map((form) => ({ note: "placeholder-translated", form }) as const),
    ],
    asWritten: (found) => ({ ...found, path: writtenPath(found.path, draft.written) }),
  });
}

/** `tools.allow[2]` → `includeTools[2]`: the longest canonical beginning that another word stands for. */
function writtenPath(path: string, written: ReadonlyMap<string, string>): string {
  const beginnings = [...written].filter(
    ([canonical]) =>
      path === canonical || path.startsWith(`${canonical}.`) || path.startsWith(`${canonical}[`),
  );
  const longest = beginnings.toSorted(([a], [b]) => b.length - a.length)[0];
  return longest === undefined ? path : longest[1] + path.slice(longest[0].length);
}
