import { isJsonObject } from "../../json-value.ts";
import type { KnownFolders } from "./format.ts";

/** Placeholders of another host that say what one of ours says. */
export type TranslatedForm = "${env:NAME}" | "${workspaceFolder}" | "${userHome}" | "{env:NAME}" | "$NAME";

interface Form {
  readonly form: TranslatedForm;
  readonly pattern: RegExp;
  readonly write: (match: string, name: string, folders: KnownFolders) => string;
}

const FORMS: Readonly<Record<TranslatedForm, Form>> = {
  "${env:NAME}": {
    form: "${env:NAME}",
    pattern: /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
    write: (_, name) => `\${${name}}`,
  },
  "${workspaceFolder}": {
    form: "${workspaceFolder}",
    pattern: /\$\{workspaceFolder\}/g,
    write: (match, _, { workspace }) => literal(workspace) ?? match,
  },
  "${userHome}": {
    form: "${userHome}",
    pattern: /\$\{userHome\}/g,
    write: (match, _, { home }) => literal(home) ?? match,
  },
  "{env:NAME}": {
    form: "{env:NAME}",
    pattern: /(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
    write: (_, name) => `\${${name}}`,
  },
  $NAME: {
    form: "$NAME",
    pattern: /\$([A-Za-z_][A-Za-z0-9_]*)/g,
    write: (_, name) => `\${${name}}`,
  },
};

/** A path that would itself read like a template is not put into one (D8: nothing is scanned again). */
function literal(path: string | undefined): string | undefined {
  return path === undefined || path.includes("${") ? undefined : path;
}

/** Translates the forms of a format in one text; `found` collects those that were there. Linear. */
function translateText(
  text: string,
  forms: readonly TranslatedForm[],
  context: { readonly folders: KnownFolders; readonly found: Set<TranslatedForm> },
): string {
  if (!text.includes("$") && !text.includes("{")) return text;
  let translated = text;
  for (const { form, pattern, write } of forms.map((name) => FORMS[name])) {
    const next = translated.replaceAll(pattern, (match: string, name: string) =>
      write(match, name, context.folders),
    );
    if (next !== translated) context.found.add(form);
    translated = next;
  }
  return translated;
}

/** Fields in which templates are expanded at all (D8). */
const TEMPLATE_FIELDS = ["command", "args", "cwd", "env", "url", "headers"] as const;

export function translatePlaceholders(
  fields: Map<string, unknown>,
  forms: readonly TranslatedForm[],
  folders: KnownFolders,
): readonly TranslatedForm[] {
  const found = new Set<TranslatedForm>();
  const translate = (value: unknown): unknown =>
    typeof value === "string" ? translateText(value, forms, { folders, found }) : value;
  for (const field of TEMPLATE_FIELDS) {
    const value = fields.get(field);
    if (Array.isArray(value)) fields.set(field, value.map(translate));
    else if (isJsonObject(value)) {
      const entries = Object.entries(value).map(([key, item]) => [key, translate(item)] as const);
      fields.set(field, Object.fromEntries(entries));
    } else if (value !== undefined) fields.set(field, translate(value));
  }
  return [...found];
}
