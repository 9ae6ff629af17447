import { request } from "node:http";
import { connect, type Socket } from "node:net";

import type { EgressFailure, EgressRefusal } from "../../domain/egress/refusal.ts";
import type { AdmittedTarget } from "../../domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import { destroyOpened, opened, type Dialled, type DialOptions } from "./dial.ts";
import { translateError } from "./errors.ts";
import type { StartTls } from "./start-tls.ts";
import { within } from "./within.ts";

/**
 * A CONNECT proxy that the host chose; nothing in the environment or in a workspace can. The proxy resolves
 * names, so the check of addresses moves to it: only literals and metadata names are still refused here.
 * Loopback and allowed destinations never go through it.
 */
export interface ProxyOptions {
  /** `http:` or `https:`, host and port; no user name, password, path, query or fragment. */
  readonly url: string;
  /** Value of Proxy-Authorization. */
  readonly authorization?: Secret;
}

/** Stands for the address of a socket that a proxy opened: reused for proxied exchanges alone. */
export const THROUGH_PROXY = "proxy";

/** Throws a TypeError where the option is no plain proxy address: a host's mistake, found at start. */
export function checkProxy({ url }: ProxyOptions): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const plain =
    parsed !== undefined &&
    (parsed.protocol === "http:" || parsed.protocol === "https:") &&
    parsed.href === `${parsed.origin}/`;
  if (!plain) throw new TypeError("a proxy is an http or https origin, without path or user name");
  return parsed;
}

/** Opens a tunnel to the target and TLS inside of it, within the connect deadline. */
export async function dialThroughProxy(
  target: AdmittedTarget,
  proxy: ProxyOptions,
  { clock, signal, connectMs, startTls }: DialOptions,
): Promise<Outcome<Dialled, EgressRefusal | EgressFailure>> {
  const attempt = await within(connectMs, { clock, signal, dropLate: destroyOpened }, async (signal) => {
    const tunnel = await openTunnel(target, proxy, { signal, startTls });
    if (!tunnel.ok) return tunnel;
    return opened(startTls(target.hostname, { socket: tunnel.value }), { event: "secureConnect", signal });
  });
  if (!attempt.ok) return refuse({ kind: "egress", reason: "timeout" });
  if (!attempt.value.ok) return attempt.value;
  return accept({ socket: attempt.value.value, address: THROUGH_PROXY });
}

function openTunnel(
  { hostname, port }: AdmittedTarget,
  { url, authorization }: ProxyOptions,
  { signal, startTls }: Pick<DialOptions, "signal" | "startTls">,
): Promise<Outcome<Socket, EgressFailure>> {
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  return new Promise((resolve) => {
    const asking = request({
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(authorization === undefined ? {} : { "proxy-authorization": authorization.reveal() }),
      },
      createConnection: () => connectToProxy(new URL(url), startTls),
      signal,
    });
    asking.once("connect", (answer, socket: Socket, early) => {
      const status = answer.statusCode ?? 0;
      // Bytes before our own TLS greeting come from the proxy, not from the server it stands for.
      if (status >= 200 && status < 300 && early.byteLength === 0) {
        resolve(accept(socket));
        return;
      }
      socket.destroy();
      resolve(refuse({ kind: "network", reason: "unreachable" }));
    });
    asking.on("error", (error) => resolve(refuse(translateError(error))));
    asking.end();
  });
}

/** The proxy is the host's own choice, so its name goes through the system like that of any other program. */
function connectToProxy(proxy: URL, startTls: StartTls): Socket {
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  const secure = proxy.protocol === "https:";
  const port = proxy.port === "" ? (secure ? 443 : 80) : Number(proxy.port);
  return secure ? startTls(host, { port }) : connect({ host, port });
}
