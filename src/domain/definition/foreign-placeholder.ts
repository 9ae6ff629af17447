/**
 * Placeholders of other hosts (D8). They are not expanded here; each is named in a diagnostic. Those that
 * look like `${…}` also make the definition misconfigured, since no such text may reach a child or the wire.
 */
export type ForeignForm =
  | "${env:NAME}"
  | "${input:id}"
  | "${...}"
  | "${NAME:-${...}}"
  | "$NAME"
  | "%NAME%"
  | "{file:path}"
  | "{env:NAME}"
  | "~/";

/** Which of the known `${…}` forms a written placeholder is. */
export function classifyForeign(written: string): ForeignForm {
  if (written.startsWith("${env:")) return "${env:NAME}";
  if (written.startsWith("${input:")) return "${input:id}";
  return "${...}";
}

const SHELL = /\$[A-Za-z_]/;
const WINDOWS = /%[A-Za-z_][A-Za-z0-9_]*%/;
// In a URL `%AB…%` is more likely an encoded byte, so a name may not begin with two hex digits there.
const WINDOWS_IN_URL = /%(?![0-9A-Fa-f]{2})[A-Za-z_][A-Za-z0-9_]*%/;
const FILE_REFERENCE = /\{file:[^{}]+\}/;
const ENV_REFERENCE = /\{env:[^{}]+\}/;

/** The foreign forms in a piece of literal text; `atStart` when nothing stands before it in its field. */
export function findForeignForms(
  text: string,
  place: { readonly atStart: boolean; readonly url: boolean },
): readonly ForeignForm[] {
  const found: ForeignForm[] = [];
  if (text.includes("$") && SHELL.test(text)) found.push("$NAME");
  if (text.includes("%") && (place.url ? WINDOWS_IN_URL : WINDOWS).test(text)) found.push("%NAME%");
  if (text.includes("{")) {
    if (FILE_REFERENCE.test(text)) found.push("{file:path}");
    if (ENV_REFERENCE.test(text)) found.push("{env:NAME}");
  }
  if (place.atStart && (text === "~" || text.startsWith("~/"))) found.push("~/");
  return found;
}
