import { sha256Hex } from "../sha256.ts";

export type CatalogKind = "tool" | "prompt" | "resource" | "template";

/** K3; the longest tool name that the model APIs in use accept. */
export const NAME_LIMIT = 64;

/* `_` and 8 hex digits. */
const SUFFIX_LENGTH = 9;
const SEAM = "__";
/* With the seam and the suffix this leaves at least 13 characters for the tool's own part. */
const SERVER_PART_LIMIT = 40;

/**
 * Gives what a server disclosed its name in the catalog (K3): `<server>__<source name>`.
 *
 * A function of the three arguments alone. Whenever the plain form would lose or blur anything (a
 * character outside `A-Za-z0-9_-`, `__` in a part, `_` next to the seam, more than 64 characters, an empty
 * part), `_` and 8 hex digits of the SHA-256 of the exact triple are appended. Truncation keeps the server's
 * part, whole up to 40 characters, and cuts the other.
 */
export function catalogName(serverId: string, kind: CatalogKind, sourceName: string): string {
  const server = inAlphabet(serverId);
  const source = inAlphabet(sourceName);
  const plain = server + SEAM + source;
  if (plain.length <= NAME_LIMIT && isPlain(serverId) && isPlain(sourceName) && isClearSeam(server, source)) {
    return plain;
  }
  const suffix = `_${sha256Hex(tripleText(serverId, kind, sourceName)).slice(0, SUFFIX_LENGTH - 1)}`;
  const room = NAME_LIMIT - SEAM.length - SUFFIX_LENGTH;
  const serverPart = server.slice(0, Math.max(SERVER_PART_LIMIT, room - source.length));
  return serverPart + SEAM + source.slice(0, room - serverPart.length) + suffix;
}

/** Whether a catalog name can be of something that this server disclosed. A `no` is certain, a `yes` is not. */
export function mayBeNamed(name: string, serverId: string): boolean {
  const server = inAlphabet(serverId);
  return name.startsWith(
    server.length <= SERVER_PART_LIMIT ? server + SEAM : server.slice(0, SERVER_PART_LIMIT),
  );
}

function inAlphabet(part: string): string {
  /* Only what can end up in the name: a source name may be long, a catalog name is not. */
  return part.slice(0, 2 * NAME_LIMIT).replace(/[^A-Za-z0-9_-]/gu, "_");
}

function isPlain(part: string): boolean {
  return part.length <= NAME_LIMIT && /^[A-Za-z0-9_-]+$/.test(part) && !part.includes(SEAM);
}

/* 'a_' + 'b' and 'a' + '_b' would both read `a___b`. */
function isClearSeam(server: string, source: string): boolean {
  return !server.endsWith("_") && !source.startsWith("_");
}

/* JSON tells every triple of texts apart, lone surrogates (which UTF-8 would merge) included. */
function tripleText(serverId: string, kind: CatalogKind, sourceName: string): string {
  return JSON.stringify([serverId, kind, sourceName]);
}
