import { judgeAuthority, type Authority } from "./authority.ts";
import { readBearer } from "./bearer.ts";
import type { OwnBearer } from "./own-bearer.ts";
import { NOT_POST, turnAway, type TurnedAway } from "./turned-away.ts";
import { targetPath, type RequestHead } from "./request-head.ts";

/** Where a loopback host listens, and nowhere else (R4). `localhost` is a name, and may lead elsewhere. */
export const LOOPBACK_ADDRESS = "127.0.0.1";
export const MCP_PATH = "/mcp";

const WRONG_PATH = turnAway(403, "path");
/** RFC 9110 section 11.6.1: a 401 names a scheme. No metadata: nobody issues tokens for this place. */
const CHALLENGE = { headers: { "www-authenticate": "Bearer" } };
const NO_TOKEN = turnAway(401, "no-token", CHALLENGE);
const MALFORMED_TOKEN = turnAway(401, "token-malformed", CHALLENGE);
const WRONG_TOKEN = turnAway(401, "wrong-token", CHALLENGE);

/** How the place of a listener on `port` may be spelled. Clients leave the default port out (RFC 9110 section 7.2). */
export function loopbackAuthority(port: number): Authority {
  const spelled =
    port === 80 ? [LOOPBACK_ADDRESS, `${LOOPBACK_ADDRESS}:80`] : [`${LOOPBACK_ADDRESS}:${port}`];
  return { hosts: spelled, origins: spelled.map((host) => `http://${host}`) };
}

/**
 * The gate of a loopback host, in its order (R4): path, Host and Origin are 403, the bearer is 401, and only whoever
 * holds it is told about methods. `undefined`: admitted.
 */
export function judgeLoopbackHead(
  head: RequestHead,
  { authority, bearer }: { readonly authority: Authority; readonly bearer: OwnBearer },
): TurnedAway | undefined {
  if (targetPath(head) !== MCP_PATH) return WRONG_PATH;
  const addressed = judgeAuthority(head, authority);
  if (addressed !== undefined) return addressed;
  const presented = readBearer(head);
  if (presented.kind === "none") return NO_TOKEN;
  if (presented.kind === "malformed") return MALFORMED_TOKEN;
  if (!bearer.matches(presented.token)) return WRONG_TOKEN;
  return head.method === "POST" ? undefined : NOT_POST;
}
