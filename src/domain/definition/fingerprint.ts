import { sha256Hex } from "../sha256.ts";
import type { CoveredField } from "./covered-field.ts";
import { materialOf, type DefinitionSource, type Material, type ServerDefinition } from "./definition.ts";
import { encodeMaterialised, encodePlain, encodeText, encodeTexts } from "./encoding.ts";
import { visitFields, type CoveredSettings } from "./field-list.ts";
import { REDACTED, showArguments, showPlain, showText, showUrl } from "./shown.ts";

/** Change with the encoding, so that a record of another version matches nothing. */
const FINGERPRINT_VERSION = "sallyport-definition-1";
const IDENTITY_VERSION = "sallyport-identity-1";
const FIELD_VERSION = "sallyport-field-1";

/** Truncated: it tells that a field changed, it identifies nothing. */
const FIELD_DIGEST_DIGITS = 16;

/** Digests all that changes what is started or contacted, secrets replaced by markers (D14). 64 hex digits. */
export function fingerprintOf(settings: CoveredSettings, material: Material): string {
  let encoded = encodeText(FINGERPRINT_VERSION);
  // Paths are followed by encodings that say their own length, so that no two field lists read the same.
  visitFields(settings, material, {
    plain: (path, value) => (encoded += encodeText(path) + encodePlain(value)),
    list: (path, values) => (encoded += encodeText(path) + encodeTexts(values)),
    text: (path, text) => (encoded += encodeText(path) + encodeMaterialised(text)),
    args: (path, args) =>
      (encoded += `${encodeText(path)}l${args.length}:${args.map((arg) => encodeMaterialised(arg)).join("")}`),
  });
  return sha256Hex(encoded);
}

/** The same digest over name, source and origin (D14). 64 hex digits. */
export function securityIdentityOf(of: {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly origin: string;
}): string {
  return sha256Hex(
    encodeText(IDENTITY_VERSION) + encodeText(of.name) + encodeText(of.source) + encodeText(of.origin),
  );
}

/**
 * Lists every field that the fingerprint covers, in a fixed order, so that a later change can be told
 * field by field. Absent fields are left out. No secret is in it, and none was hashed for it.
 */
export function coveredFields(definition: ServerDefinition): readonly CoveredField[] {
  const fields: CoveredField[] = [];
  const add = (path: string, encoding: string, shown: string): void => {
    const digest = sha256Hex(encodeText(FIELD_VERSION) + encodeText(path) + encoding);
    fields.push({ path, digest: digest.slice(0, FIELD_DIGEST_DIGITS), shown });
  };
  visitFields(definition, materialOf(definition), {
    plain: (path, value) => add(path, encodePlain(value), showPlain(String(value))),
    list: (path, values) => add(path, encodeTexts(values), showWords(values)),
    text: (path, text, form) => {
      const shown = form === "value" ? REDACTED : form === "url" ? showUrl(text) : showText(text);
      add(path, encodeMaterialised(text), shown);
    },
    args: (path, args) => {
      const shown = showArguments(args);
      for (const [index, arg] of args.entries()) {
        add(`${path}[${index}]`, encodeMaterialised(arg), shown[index] ?? "");
      }
    },
  });
  return fields;
}

function showWords(words: readonly string[]): string {
  return showArguments(words.map((text) => ({ text, stretches: [] }))).join(" ");
}
