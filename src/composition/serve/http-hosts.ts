import { handlerOf } from "./http-served.ts";
import { loopbackHost, type McpHttpHost, type McpHttpHostOptions } from "./http-loopback-host.ts";
import { remoteHost, type McpRemoteHttpHost, type McpRemoteHttpHostOptions } from "./http-remote-host.ts";

/**
 * Serves a session over HTTP on 127.0.0.1, to whoever holds the bearer that `start` gives (R4, R8). Throws a
 * `TypeError` with a code for options that do not hold: `host-not-loopback`, `port-invalid`, `limit-invalid`.
 */
export function createMcpHttpHost(options: McpHttpHostOptions): McpHttpHost {
  return loopbackHost(options, handlerOf(options));
}

/**
 * Serves a session over HTTP to the world, as an OAuth protected resource (R5–R8): every call needs a token that the
 * verifier takes. It speaks plain HTTP; the proxy in front ends TLS and passes Host on as it came. Throws a
 * `TypeError` with a code for options that do not hold: `public-url-invalid`, `issuer-invalid`, `scopes-invalid`,
 * `verifier-missing`, `host-not-literal`, `trusted-proxy-invalid`, `port-invalid`, `limit-invalid`.
 */
export function createMcpRemoteHttpHost(options: McpRemoteHttpHostOptions): McpRemoteHttpHost {
  return remoteHost(options, handlerOf(options));
}
