import type { WebHandler } from "../../adapters/node-http/web-handler.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import { addressFamily } from "../../domain/egress/address.ts";
import { trustedProxies } from "../../domain/gate/forwarded-address.ts";
import { LOOPBACK_ADDRESS } from "../../domain/gate/loopback.ts";
import { remotePlace } from "../../domain/gate/remote-place.ts";
import type { AccessTokenVerifier } from "../../ports/access-token-verifier.ts";
import type { GateAudit } from "./http-audit.ts";
import { HttpLife } from "./http-life.ts";
import { httpLimits, misuse } from "./http-limits.ts";
import { remoteGate } from "./http-remote-gate.ts";
import { type ListeningOptions, portOf, type ServedOverHttp } from "./http-served.ts";

/** What makes a remote host an OAuth protected resource (R5). */
export interface RemoteAuthorization {
  /** https, as clients write it: Host, Origin, path and the metadata's place come from it. A proxy in front ends TLS. */
  readonly publicUrl: string;
  /** https. Clients are sent there for tokens. */
  readonly issuer: string;
  /** What every token needs. One at least. */
  readonly scopes: readonly string[];
  readonly verifier: AccessTokenVerifier;
  /** Addresses or blocks of the proxies in front. Only they are believed about where a request came from. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Is told of each refusal: why, and the class of the address, never more (R7). */
  readonly audit?: GateAudit;
}

export interface McpRemoteHttpHostOptions extends ServedOverHttp {
  /** A literal address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  readonly authorization: RemoteAuthorization;
}

export interface McpRemoteHttpHost extends AsyncDisposable {
  /**
   * Listens, once. `listening` is where the proxy in front connects to, `url` what clients are given. Rejects with a
   * `McpServeError`; with a `TypeError` (`already-started`) the second time.
   */
  start(): Promise<{
    readonly listening: { readonly address: string; readonly port: number };
    readonly url: string;
  }>;
  /** Ends every call and stops listening, for good. Idempotent; during a start it ends that. */
  stop(): Promise<void>;
}

/** A remote host (R5) in front of any handler. Throws a `TypeError` with a code for options that do not hold. */
export function remoteHost(
  options: ListeningOptions & Pick<McpRemoteHttpHostOptions, "host" | "authorization" | "clock">,
  createHandler: (signal: AbortSignal) => Promise<WebHandler>,
): McpRemoteHttpHost {
  const { host = LOOPBACK_ADDRESS, authorization, clock = createSystemClock() } = options;
  const { publicUrl, verifier, audit } = authorization;
  const place = remotePlace(authorization);
  if (!place.ok) throw misuse(`${place.refusal}-invalid`);
  // Compiled code need not have been checked against the type, and without one everybody would be let in.
  if (typeof verifier?.verify !== "function") throw misuse("verifier-missing");
  if (addressFamily(host) === undefined) throw misuse("host-not-literal");
  const trusted = trustedProxies(authorization.trustedProxies ?? []);
  if (!trusted.ok) throw misuse("trusted-proxy-invalid");
  const port = portOf(options);
  const limits = httpLimits(options.limits);
  const gate = remoteGate({ place: place.value, verifier, trusted: trusted.value, clock, audit });
  const life = new HttpLife(async (signal) => {
    const { listenHttp } = await import("../../adapters/node-http/http-listener.ts");
    const handler = await createHandler(signal);
    return listenHttp({ host, port, limits, handler, gateAt: () => ({ gate, url: publicUrl }) });
  });
  return {
    start: async () => {
      const listener = await life.start();
      return { listening: { address: host, port: listener.port }, url: publicUrl };
    },
    stop: () => life.stop(),
    [Symbol.asyncDispose]: () => life.stop(),
  };
}
