import { escapeForDisplay } from "../display-text.ts";
import type { HttpAdmissionReason, HttpAdmissionRefusal } from "./refusal.ts";

const SENTENCES: Readonly<Record<HttpAdmissionReason, string>> = {
  "sse-transport":
    "uses the HTTP+SSE transport of 2024-11-05, which is not supported; configure the server's Streamable HTTP URL instead.",
  "websocket-transport":
    "uses WebSocket, which MCP does not define; configure the server's Streamable HTTP URL instead.",
  disabled: "is disabled; enable it before connecting.",
  "unset-variable": "uses a variable that has no value and no default; set it, or give it a default.",
  "sign-in-unavailable":
    "asks for an OAuth sign-in that this host cannot do, and is never contacted without it.",
  "headers-helper-unavailable":
    "asks for a headers helper that this host does not run, and is never contacted without it.",
  "authenticator-mismatch":
    "was given the authenticator of another server, which is never used for it; the host has to pick its own.",
  "reserved-header":
    "sets a header that HTTP or the protocol owns (such as host, cookie, accept or mcp-…); remove it.",
  "invalid-header-name": "has a header whose name is not an HTTP token; correct its name.",
  "invalid-header-value":
    "has a header whose value holds a control or non-Latin-1 character, or is too long; correct its value.",
  "duplicate-header": "sets one header twice, in different spellings; keep one of them.",
  "too-many-headers": "sets more headers than the 64 that are allowed; remove some.",
};

/** One sentence for a person; it names the server, and quotes no header, URL or value. */
export function describeHttpAdmissionRefusal(refusal: HttpAdmissionRefusal): string {
  const place = refusal.position === undefined ? "" : ` (header ${refusal.position})`;
  const variable = refusal.variable === undefined ? "" : ` (\${${refusal.variable}})`;
  return `Server "${escapeForDisplay(refusal.serverId)}"${place}${variable} ${SENTENCES[refusal.reason]}`;
}
