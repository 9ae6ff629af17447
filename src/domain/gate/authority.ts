import { headerValues, type RequestHead } from "./request-head.ts";
import { turnAway, type TurnedAway } from "./turned-away.ts";

/** What a request has to be addressed to. Out of configuration: what a request says of itself decides nothing. */
export interface Authority {
  /** Spellings of `Host`, in lower case. */
  readonly hosts: readonly string[];
  /** Spellings of `Origin`. */
  readonly origins: readonly string[];
}

const WRONG_HOST = turnAway(403, "host");
const WRONG_ORIGIN = turnAway(403, "origin");

/**
 * Compares Host and Origin whole (R3b): a name that was made to lead here (rebinding) brings its own Host, and a page
 * of another site brings its own Origin, `null` included. Exactly one Host; at most one Origin, and an empty one is one.
 */
export function judgeAuthority(head: RequestHead, authority: Authority): TurnedAway | undefined {
  const hosts = headerValues(head, "host");
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined || !authority.hosts.includes(host.toLowerCase()))
    return WRONG_HOST;
  const origins = headerValues(head, "origin");
  const [origin] = origins;
  if (origin === undefined) return undefined;
  return origins.length === 1 && authority.origins.includes(origin) ? undefined : WRONG_ORIGIN;
}
