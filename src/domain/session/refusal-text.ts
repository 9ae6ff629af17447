import { escapeForDisplay } from "../display-text.ts";
import type { SessionRefusal, SessionReason, SessionStage } from "./refusal.ts";

const DOING: Readonly<Record<SessionStage, string>> = {
  connect: "connecting",
  "list-tools": "listing its tools",
  "list-prompts": "listing its prompts",
  "list-resources": "listing its resources",
  "list-resource-templates": "listing its resource templates",
  call: "calling a tool",
  "get-prompt": "reading a prompt",
  "read-resource": "reading a resource",
  "list-skills": "listing its skills",
  "get-skill": "asking for a skill",
};

const SENTENCES: Readonly<Record<SessionReason, (refusal: SessionRefusal) => string>> = {
  "version-unsupported": ({ revision }) =>
    revision === undefined
      ? "it speaks no protocol revision that this host accepts; update the server."
      : `it does not offer protocol revision ${revision}; remove the pinned version or update the server.`,
  "invalid-response": () => "its answer is not what the protocol says; the server has to be fixed.",
  "response-too-large": () => "its answer is larger than the receive limit; ask it for less.",
  "response-lost": () => "the connection for this answer ended before the answer came.",
  timeout: (refusal) =>
    `it did not answer within ${limit(refusal)}; raise the timeout or look at the server.`,
  "outcome-unknown": (refusal) =>
    refusal.ended === "abort" || refusal.ended === "close"
      ? "the call was cancelled after it had been sent; whether it took effect is unknown."
      : `it did not answer within ${limit(refusal)}; whether the call took effect is unknown.`,
  cancelled: () => "it was cancelled.",
  "connection-closed": () => "the server closed the connection; connect again.",
  "session-expired": () => "the server forgot this session; connect again.",
  "http-status": ({ code, retryAfterMs }) => {
    const later = retryAfterMs === undefined ? "" : ` and asks to be left alone for ${retryAfterMs} ms`;
    return `it answered with HTTP status ${code ?? "unknown"}${later}.`;
  },
  "auth-required": () => "it asks for authorization; sign in to this server.",
  "protocol-error": ({ code }) =>
    code === undefined ? "the exchange broke the protocol." : `it answered with the protocol error ${code}.`,
  "input-required": () => "it asks for input that this host does not give; turn elicitation on for it.",
  "not-supported": () => "it does not support this, or it answered with something unsupported.",
  "cursor-repeated": () =>
    "its list repeats a page cursor; what came before is kept, the list is incomplete.",
  "list-limit": () => "its list is larger than the bound; what came before is kept, the list is incomplete.",
  closed: () => "the session was closed by this host.",
};

/** Says in one sentence what did not work out. Holds no text of the server's. */
export function describeSessionRefusal(refusal: SessionRefusal): string {
  return `server "${escapeForDisplay(refusal.serverId)}", ${DOING[refusal.stage]}: ${SENTENCES[refusal.reason](refusal)}`;
}

function limit({ limitMs }: SessionRefusal): string {
  return limitMs === undefined ? "its time" : `${limitMs} ms`;
}
