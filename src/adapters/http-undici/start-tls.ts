import { isIP, type Socket } from "node:net";
import {
  connect,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from "node:tls";

/** Begins TLS for a name or literal address, over a new connection or a socket that stands already. */
export type StartTls = (
  name: string,
  over: Pick<ConnectionOptions, "host" | "port" | "lookup" | "socket">,
) => Socket;

/**
 * Creates the one way TLS begins here: certificates are always checked, for the name that was asked for,
 * against the system's authorities and `extraAuthorities` (PEM).
 */
export function createStartTls(extraAuthorities: readonly string[] | undefined): StartTls {
  let context: SecureContext | undefined;
  return (name, over) => {
    // Reading all authorities takes milliseconds: once, and only where TLS is used at all.
    if (extraAuthorities !== undefined) context ??= trusting(extraAuthorities);
    return connect({
      // Where there is no server name (RFC 6066 allows no address), the certificate is checked against `host`.
      host: name,
      ...over,
      servername: isIP(name) === 0 ? name.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn the default off.
      rejectUnauthorized: true,
      ...(context === undefined ? {} : { secureContext: context }),
    });
  };
}

function trusting(extraAuthorities: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), ...extraAuthorities] });
}
