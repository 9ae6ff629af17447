import type { EgressFailure, EgressReason, EgressRefusal } from "./refusal.ts";

/** One sentence a person can act on: what was refused and what changes it. Origins at most, never a secret. */
export function describeEgressRefusal(refusal: EgressRefusal | EgressFailure): string {
  if (refusal.kind === "network") return FAILURE_SENTENCES[refusal.reason];
  return refusal.reason === "redirect" ? describeRedirect(refusal) : REFUSAL_SENTENCES[refusal.reason];
}

const REFUSAL_SENTENCES: Readonly<Record<Exclude<EgressReason, "redirect">, string>> = {
  "unsupported-scheme": "The URL's scheme is not supported; use https, or http for a server on this machine.",
  "insecure-scheme":
    "Plain http is allowed only to localhost, 127.0.0.0/8 and [::1]; use https for every other server.",
  userinfo: "The URL carries a user name or password; remove it and send credentials in a header instead.",
  "invalid-url":
    "The URL is malformed, too long, has a fragment or names a port of another protocol; correct the configured URL.",
  "private-address":
    "The server's address is not public; if it is meant, the host application has to allow this exact host and port.",
  "metadata-address": "The address belongs to a cloud's metadata service, which is never contacted.",
  unresolvable: "The server's name does not resolve to usable addresses; check the host name in the URL.",
  "endpoint-mismatch": "The request was for another URL than the admitted one, and was not sent.",
  "response-too-large": "The response is larger than its limit, and the connection was closed.",
  timeout: "The server was not reached, or did not begin its answer, within the time limit.",
  closed: "The connection was closed by this side before the answer was complete.",
};

const FAILURE_SENTENCES: Readonly<Record<EgressFailure["reason"], string>> = {
  "connection-refused": "Nothing accepts connections at the server's address; check that it is running.",
  "connection-reset": "The connection ended before the answer was complete.",
  tls: "The server's identity could not be verified over TLS; check its certificate and the host name.",
  unreachable: "The network or the server's address cannot be reached from here.",
  protocol: "The answer does not follow HTTP, or its body cannot be decoded.",
  other: "The connection failed for a reason that the system did not name.",
};

function describeRedirect({ status, fromOrigin, toOrigin }: EgressRefusal): string {
  const answer = `The server answered with a redirect (${status ?? "3xx"})`;
  if (fromOrigin !== undefined && fromOrigin === toOrigin) {
    return `${answer} to another path on ${fromOrigin}, which is never followed; change the configured URL to the new path.`;
  }
  const destination = toOrigin === undefined ? "" : ` from ${fromOrigin ?? "its origin"} to ${toOrigin}`;
  return `${answer}${destination}, which is never followed; if the server has moved, change the configured URL.`;
}
