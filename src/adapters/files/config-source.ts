import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";

import type { Container, SourceProblemReason, SourceWarning } from "../../domain/definition/container.ts";
import {
  allowsComments,
  formatOfPath,
  SERVER_PLACES,
  type ConfigFormat,
} from "../../domain/definition/foreign/format.ts";
import type { ConfigPlace, ConfigSource } from "../../ports/config-source.ts";
import { parseJsonDocument, type JsonDialect, type JsonDocument } from "./json-document.ts";

/** A server configuration is a few kilobytes; the largest allowed is parsed in about a second. */
const FILE_LIMIT_BYTES = 1024 * 1024;

const BYTE_ORDER_MARK = "\ufeff";

/** Makes the source that reads configuration files (D1b). It never writes, and follows symbolic links. */
export function createFileConfigSource(): ConfigSource {
  return {
    async read(places, { signal }) {
      const containers: Container[] = [];
      for (const place of places) {
        signal.throwIfAborted();
        const container = await readPlace(place);
        if (container !== undefined) containers.push(container);
      }
      signal.throwIfAborted();
      return containers;
    },
  };
}

async function readPlace(place: ConfigPlace): Promise<Container | undefined> {
  const { source, path: origin } = place;
  const bytes = await readBytes(place.path);
  if (bytes === "absent") {
    return place.optional === false ? { source, origin, problem: { reason: "unreadable-file" } } : undefined;
  }
  if (typeof bytes === "string") return { source, origin, problem: { reason: bytes } };
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) return { source, origin, problem: { reason: "not-utf8" } };
  const marked = decoded.startsWith(BYTE_ORDER_MARK);
  const format = place.format ?? formatOfPath(place.path);
  const document = await parse(marked ? decoded.slice(1) : decoded, { place, format });
  if (!document.ok) {
    const { ok: _, ...problem } = document;
    return { source, origin, problem };
  }
  const warnings: SourceWarning["warning"][] = marked ? ["byte-order-mark"] : [];
  warnings.push(...document.warnings);
  return {
    source,
    origin,
    // An empty file is an empty source, not a document of the wrong shape.
    value: document.value === undefined ? emptyDocument(format) : document.value,
    ...(format !== "mcp" && { format }),
    ...(place.folders !== undefined && { folders: place.folders }),
    duplicateKeys: document.duplicateKeys,
    warnings,
  };
}

async function parse(
  text: string,
  { place, format }: { readonly place: ConfigPlace; readonly format: ConfigFormat },
): Promise<JsonDocument> {
  if (!place.path.endsWith(".toml")) return parseJsonDocument(text, dialectOf(place, format));
  const { parseTomlDocument } = await import("./toml-document.ts");
  return parseTomlDocument(text);
}

function dialectOf({ path, dialect }: ConfigPlace, format: ConfigFormat): JsonDialect {
  return dialect ?? (path.endsWith(".jsonc") || allowsComments(format) ? "jsonc" : "json");
}

function emptyDocument(format: ConfigFormat): unknown {
  return Object.fromEntries(SERVER_PLACES[format].map(([root = ""]) => [root, {}]));
}

type ReadFault = Extract<SourceProblemReason, "unreadable-file" | "file-too-large">;

async function readBytes(path: string): Promise<Buffer | "absent" | ReadFault> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer that may never come.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return isAbsent(error) && !(await isDanglingLink(path)) ? "absent" : "unreadable-file";
  }
  try {
    if (!(await file.stat()).isFile()) return "unreadable-file";
    return await readUpToLimit(file);
  } catch {
    return "unreadable-file";
  } finally {
    await file.close();
  }
}

/** The size is counted while reading: what `stat` said may have changed meanwhile. */
async function readUpToLimit(file: FileHandle): Promise<Buffer | "file-too-large"> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    length += bytesRead;
    if (length > FILE_LIMIT_BYTES) return "file-too-large";
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** A link to a file that is gone, or not mounted yet, is a file that cannot be read: managed policy would lapse (D12). */
async function isDanglingLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
