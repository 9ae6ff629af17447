import { isJsonObject } from "../json-value.ts";
import { checkHeaders } from "../http/headers.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { Secret } from "../secret.ts";
import type { AuthReason } from "./refusal.ts";

/** U4. */
export const HELPER_LIMITS: {
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly headers: number;
} = { timeoutMs: 10_000, outputBytes: 64 * 1024, headers: 32 };

export type HelperOutputReason = Extract<AuthReason, "helper-output-invalid" | "helper-header-refused">;

/** Lower-case names, in the order printed. */
export type HelperHeaders = readonly (readonly [name: string, value: Secret])[];

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/**
 * Reads what a headers helper printed (U4): exactly one JSON object of 1 to 32 strings. Refuses with
 * `helper-output-invalid` for another shape, and with `helper-header-refused` for too many headers, one that
 * comes twice (in any case of letters), one that belongs to HTTP or the protocol (H2) and one with a control
 * character. An object without headers is refused: a request would go without authorization (U2). The caller has
 * bounded the bytes.
 */
export function parseHelperOutput(bytes: Uint8Array): Outcome<HelperHeaders, HelperOutputReason> {
  const text = decodeText(bytes);
  const entries = text === undefined ? undefined : readEntries(text);
  if (text === undefined || entries === undefined) return refuse("helper-output-invalid");
  // Parsing keeps the last of equal keys. A flat object without such has two strings an entry, and no more.
  const isUnambiguous = text.match(STRING)?.length === 2 * entries.length;
  if (!isUnambiguous || entries.length > HELPER_LIMITS.headers) return refuse("helper-header-refused");
  const checked = checkHeaders(entries);
  if (!checked.ok) return refuse("helper-header-refused");
  return accept(checked.value.map(([name, value]) => [name, new Secret(value)] as const));
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readEntries(text: string): readonly (readonly [string, string])[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const entries: (readonly [string, string])[] = [];
  for (const [name, header] of Object.entries(value)) {
    if (typeof header !== "string") return undefined;
    entries.push([name, header]);
  }
  return entries.length === 0 ? undefined : entries;
}
