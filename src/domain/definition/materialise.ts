import { isCredentialName } from "./credential-shape.ts";
import type { DefinitionNote, MaterialisedText, Stretch, UnsetVariable } from "./definition.ts";
import { classifyForeign, findForeignForms, type ForeignForm } from "./foreign-placeholder.ts";
import type { Environment } from "./resolution.ts";
import { parseTemplate, type TemplatePart } from "./template.ts";

export interface MaterialisePlace {
  /** Field path for diagnostics, such as `args[2]` or `env.HOME`. */
  readonly path: string;
  /** The value stands under a credential-shaped env or header key: all of it is secret (D10). */
  readonly secret?: boolean;
  readonly url?: boolean;
  /** Expansion stops once the text is longer than this; the caller refuses it. UTF-16 units. */
  readonly limit: number;
}

/** What materialising the fields of one entry brought to light, in the order of the fields. */
export interface Findings {
  readonly unset: UnsetVariable[];
  readonly foreign: DefinitionNote[];
}

interface Draft {
  text: string;
  readonly stretches: Stretch[];
}

/**
 * Expands a template text once and records which stretch came from which variable (D8, D9).
 *
 * What a variable or its default produced is never scanned again. A default counts as the literal it is, also
 * behind a credential-shaped variable (D14 before D10). A variable without value and default
 * leaves its placeholder as it was written and is listed in `findings.unset`.
 */
export function materialise(
  text: string,
  place: MaterialisePlace,
  context: { readonly environment: Environment; readonly findings: Findings },
): MaterialisedText {
  // Nearly every text of a real configuration is plain: no parsing, no diagnostics to look for.
  if (!/[$%{~]/.test(text)) return plain(text, place);
  const draft: Draft = { text: "", stretches: [] };
  const forms = new Set<ForeignForm>();
  for (const part of parseTemplate(text)) {
    switch (part.kind) {
      case "literal":
        for (const form of findForeignForms(part.text, {
          atStart: draft.text === "" && draft.stretches.length === 0,
          url: place.url === true,
        })) {
          forms.add(form);
        }
        appendLiteral(draft, part.text, place);
        break;
      case "foreign":
        forms.add(classifyForeign(part.written));
        context.findings.unset.push({ variable: foreignName(part.written), path: place.path });
        appendLiteral(draft, part.written, place);
        break;
      case "variable":
        appendVariable(draft, part, { place, context, forms });
        break;
    }
    // Thousands of `${X}` of a large variable would not fit into memory.
    if (draft.text.length > place.limit) return draft;
  }
  for (const form of forms) {
    context.findings.foreign.push({ note: "foreign-placeholder", path: place.path, form });
  }
  return draft;
}

// Shared: most texts have none, and ten thousand definitions are mostly such texts.
const NO_STRETCHES: readonly Stretch[] = Object.freeze([]);

function plain(text: string, place: MaterialisePlace): MaterialisedText {
  if (place.secret !== true) return { text, stretches: NO_STRETCHES };
  const draft: Draft = { text: "", stretches: [] };
  appendLiteral(draft, text, place);
  return draft;
}

function appendLiteral(draft: Draft, text: string, place: MaterialisePlace): void {
  const start = draft.text.length;
  draft.text += text;
  if (place.secret !== true) return;
  const last = draft.stretches.at(-1);
  if (last !== undefined && last.variable === undefined) draft.stretches.pop();
  const from = last !== undefined && last.variable === undefined ? last.start : start;
  draft.stretches.push({ start: from, end: draft.text.length, variable: undefined, secret: true });
}

function appendVariable(
  draft: Draft,
  part: TemplatePart & { kind: "variable" },
  {
    place,
    context,
    forms,
  }: {
    readonly place: MaterialisePlace;
    readonly context: { readonly environment: Environment; readonly findings: Findings };
    readonly forms: Set<ForeignForm>;
  },
): void {
  const set = context.environment(part.name);
  const produced = set ?? part.fallback;
  if (produced === undefined) {
    context.findings.unset.push({ variable: part.name, path: place.path });
    appendLiteral(draft, part.written, place);
    return;
  }
  if (set === undefined && produced.includes("${")) {
    // `${A:-${B}}`: the default ends at the first brace, so what is left reads `${B}` and nothing fills it.
    forms.add("${NAME:-${...}}");
    context.findings.unset.push({ variable: part.name, path: place.path });
  }
  const start = draft.text.length;
  draft.text += produced;
  // A default is text of the configuration: were it left out of the fingerprint, whoever can edit the file could
  // put another program or host in its place under an approval that stays. Only what the variable held is secret.
  const secret = place.secret === true || (set !== undefined && isCredentialName(part.name));
  draft.stretches.push({ start, end: draft.text.length, variable: part.name, secret });
}

/** `${env:TOKEN}` is listed as `env:TOKEN`; text that is no plain name is not repeated. */
function foreignName(written: string): string {
  const inner = /^\$\{([A-Za-z0-9_.:-]{1,64})\}$/.exec(written)?.[1];
  return inner ?? "${...}";
}
