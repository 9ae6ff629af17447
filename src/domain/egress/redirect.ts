import type { EgressRefusal } from "./refusal.ts";
import type { AdmittedTarget } from "./target.ts";

/** The longest origin a refusal carries: scheme, a DNS name, a port. */
const LONGEST_ORIGIN_CHARS = 270;

/**
 * Judges a response status (E7): every 3xx but 304 refuses, with a Location or without, since the answer to
 * this request is somewhere else. The refusal names origins alone; where `fromOrigin` equals `toOrigin`, the
 * person who owns the configuration may move the URL. Nothing is ever followed.
 */
export function judgeRedirect(
  target: AdmittedTarget,
  { status, location }: { readonly status: number; readonly location: string | undefined },
): EgressRefusal | undefined {
  if (status < 300 || status > 399 || status === 304) return undefined;
  const toOrigin = originOf(location, target.href);
  return {
    kind: "egress",
    reason: "redirect",
    status,
    fromOrigin: target.origin,
    ...(toOrigin === undefined ? {} : { toOrigin }),
  };
}

function originOf(location: string | undefined, base: string): string | undefined {
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const { protocol, origin } = new URL(location, base);
  const named = (protocol === "http:" || protocol === "https:") && origin.length <= LONGEST_ORIGIN_CHARS;
  return named ? origin : undefined;
}
