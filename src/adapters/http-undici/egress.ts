import { isAdmittedTarget, type EgressPolicy } from "../../domain/egress/target.ts";
import { refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Resolver } from "../../ports/resolver.ts";
import { Connections } from "./connections.ts";
import { CLOSED, Lives } from "./life.ts";
import { checkProxy, type ProxyOptions } from "./proxy.ts";
import { toDispatch } from "./request.ts";
import { Router } from "./route.ts";
import { Sender } from "./send.ts";
import { createStartTls } from "./start-tls.ts";

export interface EgressTimeouts {
  /** For one resolution, in milliseconds. Default 10,000. */
  readonly resolveMs?: number;
  /** For connecting to any of the addresses, TLS included, in milliseconds. Default 10,000. */
  readonly connectMs?: number;
  /** From sending to response headers unless a request says otherwise, in milliseconds. Default 30,000. */
  readonly headersMs?: number;
}

export interface UndiciEgressOptions {
  readonly resolver: Resolver;
  readonly policy: EgressPolicy;
  readonly clock: Clock;
  readonly timeouts?: EgressTimeouts;
  /** Absent: every socket goes to the server itself. */
  readonly proxy?: ProxyOptions;
  /** Certificate authorities (PEM) that are trusted besides the system's own, for private destinations. */
  readonly extraAuthorities?: readonly string[];
}

/**
 * Creates the one way out (E1–E9), on undici's HTTP/1.1 client.
 *
 * Each exchange resolves its name once, checks every address, and uses a socket to a checked address only: a
 * new one, or an idle one whose address is in this very answer. Environment variables (proxies, TLS
 * switches) are never read; policy, proxy and authorities are copied here and fixed. Throws a TypeError on a
 * proxy that is no plain origin; `fetch` throws one on a request header that is malformed or ours to set.
 */
export function createUndiciEgress(options: UndiciEgressOptions): Egress {
  const { resolver, clock, timeouts, proxy, extraAuthorities } = options;
  if (proxy !== undefined) checkProxy(proxy);
  const policy = { allowDestinations: [...options.policy.allowDestinations] };
  const limits = { resolveMs: 10_000, connectMs: 10_000, headersMs: 30_000, ...timeouts };
  const connections = new Connections();
  const lives = new Lives();
  const router = new Router({ resolver, policy, clock, resolveMs: limits.resolveMs, proxy });
  const startTls = createStartTls(extraAuthorities === undefined ? undefined : [...extraAuthorities]);
  const sender = new Sender({ connections, clock, startTls, ...limits });

  const fetch: Egress["fetch"] = async (target, request, { signal }) => {
    signal.throwIfAborted();
    if (!isAdmittedTarget(target)) return refuse({ kind: "egress", reason: "endpoint-mismatch" });
    const dispatch = toDispatch(target, request);
    if (lives.closed) return refuse(CLOSED.refusal);
    const life = lives.begin(signal);
    try {
      const route = await router.route(target, life.signal);
      const outcome = route.ok
        ? await sender.send({ target, route: route.value, request, dispatch, life })
        : route;
      if (!outcome.ok) life.end();
      return outcome;
    } catch (error) {
      life.end();
      if (error === CLOSED) return refuse(CLOSED.refusal);
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    lives.close();
    await connections.destroyAll();
  };
  return { fetch, close, [Symbol.asyncDispose]: close };
}
