import { headerValues, type RequestHead } from "./request-head.ts";
import { turnAway, type TurnedAway } from "./turned-away.ts";

/** RFC 9110 section 15.5.16: what would be welcome instead is said in the answer. */
const COMPRESSED = turnAway(415, "body-coding", { headers: { "accept-encoding": "identity" } });
/** RFC 9112 section 6.1: nobody here knows where such a body ends, so its connection ends. */
const UNKNOWN_FRAMING = turnAway(501, "body-coding", { headers: { connection: "close" } });

/**
 * Whether a body can be read as it is sent: nothing here decompresses, and `chunked` is the one transfer coding. A
 * parser of another mind in front, or Node's own, may read more into a head than that.
 */
export function judgeBodyCodings(head: RequestHead): TurnedAway | undefined {
  const transfer = headerValues(head, "transfer-encoding");
  if (transfer.length > 1 || transfer.some((coding) => coding.toLowerCase() !== "chunked")) {
    return UNKNOWN_FRAMING;
  }
  const content = headerValues(head, "content-encoding");
  return content.every((codings) => isIdentity(codings)) ? undefined : COMPRESSED;
}

/** Also of an empty list, which names no coding. */
export function isIdentity(codings: string): boolean {
  return codings.split(",").every((coding) => /^(?:identity)?$/i.test(coding.trim()));
}
