import { base64Bytes } from "../catalog/base64.ts";
import { cleanText } from "../catalog/untrusted-text.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { sha256Hex } from "../sha256.ts";
import type { SkillReason } from "./refusal.ts";
import type { SkillFile } from "./skill.ts";

/** Contents of one answer that are looked through for the file that was asked for. */
const CONTENTS_LIMIT = 16;
const MIME_TYPE_LIMIT = 128;
const UTF8 = new TextEncoder();

/** One file whose bytes are those that the manifest describes. */
export interface SkillFileContent {
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** The server's word. */
  readonly untrustedMimeType: string | undefined;
}

/** Takes the file out of an answer to `resources/read`: first its size, then its digest (S3). */
export function verifyContents(
  result: JsonObject,
  file: SkillFile,
): Outcome<
  SkillFileContent,
  Extract<SkillReason, "contents-malformed" | "size-mismatch" | "digest-mismatch">
> {
  const contents = own(result, "contents");
  const item = Array.isArray(contents)
    ? contents
        .slice(0, CONTENTS_LIMIT)
        .find((one: unknown): one is JsonObject => isJsonObject(one) && own(one, "uri") === file.uri)
    : undefined;
  if (item === undefined) return refuse("contents-malformed");
  const bytes = rawBytes(item, file.sizeBytes);
  if (!bytes.ok) return bytes;
  const sha256 = sha256Hex(bytes.value);
  if (sha256 !== file.sha256) return refuse("digest-mismatch");
  const mimeType = own(item, "mimeType");
  const untrustedMimeType =
    typeof mimeType === "string" ? cleanText(mimeType, MIME_TYPE_LIMIT).text : undefined;
  return accept({ uri: file.uri, bytes: bytes.value, sha256, untrustedMimeType });
}

function rawBytes(
  item: JsonObject,
  sizeBytes: number,
): Outcome<Uint8Array, "contents-malformed" | "size-mismatch"> {
  const [text, blob] = [own(item, "text"), own(item, "blob")];
  if (typeof text === "string" && blob === undefined) {
    const bytes = UTF8.encode(text);
    return bytes.length === sizeBytes ? accept(bytes) : refuse("size-mismatch");
  }
  if (typeof blob !== "string" || text !== undefined) return refuse("contents-malformed");
  const decodedBytes = base64Bytes(blob);
  if (decodedBytes === undefined) return refuse("contents-malformed");
  // Before anything is decoded.
  if (decodedBytes !== sizeBytes) return refuse("size-mismatch");
  const binary = atob(blob);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return accept(bytes);
}
