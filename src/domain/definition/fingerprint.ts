import { sha256Hex } from "../sha256.ts";
import type { CoveredField } from "./covered-field.ts";
import { materialOf, type DefinitionSource, type Material, type ServerDefinition } from "./definition.ts";
import { encodeText } from "./encoding.ts";
import { listFields, type CoveredSettings } from "./field-list.ts";

/** Change with the encoding, so that a record of another version matches nothing. */
const FINGERPRINT_VERSION = "sallyport-definition-1";
const IDENTITY_VERSION = "sallyport-identity-1";
const FIELD_VERSION = "sallyport-field-1";

/** Truncated: it tells that a field changed, it identifies nothing. */
const FIELD_DIGEST_DIGITS = 16;

/** Digests all that changes what is started or contacted, secrets replaced by markers (D14). 64 hex digits. */
export function fingerprintOf(settings: CoveredSettings, material: Material): string {
  const fields = listFields(settings, material);
  return digest(
    FINGERPRINT_VERSION,
    fields.map(({ path, encoding }) => encodeText(path) + encodeText(encoding)),
  );
}

/** The same digest over name, source and origin (D14). 64 hex digits. */
export function securityIdentityOf(of: {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly origin: string;
}): string {
  return digest(IDENTITY_VERSION, [encodeText(of.name), encodeText(of.source), encodeText(of.origin)]);
}

/**
 * Lists every field that the fingerprint covers, in a fixed order, so that a later change can be told
 * field by field. Absent fields are left out. No secret is in it, and none was hashed for it.
 */
export function coveredFields(definition: ServerDefinition): readonly CoveredField[] {
  return listFields(definition, materialOf(definition)).map(({ path, encoding, show }) => ({
    path,
    digest: digest(FIELD_VERSION, [encodeText(path), encodeText(encoding)]).slice(0, FIELD_DIGEST_DIGITS),
    shown: show(),
  }));
}

function digest(version: string, parts: readonly string[]): string {
  return sha256Hex(`${encodeText(version)}l${parts.length}:${parts.join("")}`);
}
