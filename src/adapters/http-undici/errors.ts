import { errors } from "undici";

import type { EgressFailure } from "../../domain/egress/refusal.ts";

type FailureReason = EgressFailure["reason"];

/** Codes of Node and undici. Messages and causes are never looked at: they carry addresses and text of peers. */
const REASON_OF_CODE: ReadonlyMap<string, FailureReason> = new Map([
  ["ECONNREFUSED", "connection-refused"],
  ["ECONNRESET", "connection-reset"],
  ["ECONNABORTED", "connection-reset"],
  ["EPIPE", "connection-reset"],
  ["UND_ERR_SOCKET", "connection-reset"],
  ["UND_ERR_DESTROYED", "connection-reset"],
  ["UND_ERR_CLOSED", "connection-reset"],
  ["EHOSTUNREACH", "unreachable"],
  ["EHOSTDOWN", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["ENETDOWN", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["EAFNOSUPPORT", "unreachable"],
  ["ETIMEDOUT", "unreachable"],
  ["EACCES", "unreachable"],
  ["EPERM", "unreachable"],
  ["EPROTO", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["HOSTNAME_MISMATCH", "tls"],
  ["INVALID_CA", "tls"],
  ["INVALID_PURPOSE", "tls"],
  ["PATH_LENGTH_EXCEEDED", "tls"],
  ["UND_ERR_HEADERS_OVERFLOW", "protocol"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "protocol"],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "protocol"],
]);

const REASON_OF_PREFIX: readonly (readonly [prefix: string, reason: FailureReason])[] = [
  ["CERT_", "tls"],
  ["CRL_", "tls"],
  ["UNABLE_TO_", "tls"],
  ["ERR_TLS_", "tls"],
  ["ERR_SSL_", "tls"],
  ["Z_", "protocol"],
  ["ERR_BROTLI", "protocol"],
  ["ERR__ERROR_", "protocol"], // how node:zlib names what a broken Brotli stream is
  ["ZSTD_", "protocol"],
  ["ERR_ZLIB", "protocol"],
  ["ERR_ZSTD", "protocol"],
];

/** Translates what a socket, TLS, undici or zlib reported; by its code alone, and nothing of it is kept. */
export function translateError(error: unknown): EgressFailure {
  // The parser's errors have a class of their own and no code (undici 8.13).
  const parser = error instanceof errors.HTTPParserError;
  return { kind: "network", reason: parser ? "protocol" : reasonOf(codeOf(error)) };
}

function reasonOf(code: string): FailureReason {
  const exact = REASON_OF_CODE.get(code);
  if (exact !== undefined) return exact;
  return REASON_OF_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "other";
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
