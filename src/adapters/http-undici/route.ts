import type { EgressFailure, EgressRefusal } from "../../domain/egress/refusal.ts";
import { judgeResolution, knownAddresses, type PinnedAddress } from "../../domain/egress/resolution.ts";
import { isAllowedDestination, type AdmittedTarget, type EgressPolicy } from "../../domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Resolver } from "../../ports/resolver.ts";
import type { ProxyOptions } from "./proxy.ts";
import { within } from "./within.ts";

/** Where the socket of one exchange may go. */
export type Route =
  | { readonly via: "addresses"; readonly pins: readonly PinnedAddress[] }
  | { readonly via: "proxy"; readonly proxy: ProxyOptions };

export interface RouterOptions {
  readonly resolver: Resolver;
  readonly policy: EgressPolicy;
  readonly clock: Clock;
  readonly resolveMs: number;
  readonly proxy: ProxyOptions | undefined;
}

/** Decides, once an exchange, which addresses it may use: one resolution, every address checked (E3, E6). */
export class Router {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  async route(
    target: AdmittedTarget,
    signal: AbortSignal,
  ): Promise<Outcome<Route, EgressRefusal | EgressFailure>> {
    const { policy } = this.#options;
    const proxy = this.#proxyFor(target);
    const known = knownAddresses(target);
    if (known === undefined && proxy !== undefined) return accept({ via: "proxy", proxy });
    const addresses = known === undefined ? await this.#resolve(target.hostname, signal) : accept(known);
    if (!addresses.ok) return addresses;
    const pins = judgeResolution(target, addresses.value, policy);
    if (!pins.ok) return pins;
    return accept(proxy === undefined ? { via: "addresses", pins: pins.value } : { via: "proxy", proxy });
  }

  /** Loopback is this machine, and an allowed destination a network of the host's own: never by proxy. */
  #proxyFor(target: AdmittedTarget): ProxyOptions | undefined {
    const direct = target.loopback || isAllowedDestination(target, this.#options.policy);
    return direct ? undefined : this.#options.proxy;
  }

  async #resolve(
    hostname: string,
    signal: AbortSignal,
  ): Promise<Outcome<readonly string[], EgressRefusal | EgressFailure>> {
    const { resolver, clock, resolveMs } = this.#options;
    try {
      const answer = await within(resolveMs, { clock, signal }, (signal) =>
        resolver.resolve(hostname, { signal }),
      );
      return answer.ok ? answer : refuse({ kind: "egress", reason: "timeout" });
    } catch {
      signal.throwIfAborted();
      // The resolver itself failed: nothing was said about the name, so this is an outage, not a refusal.
      return refuse({ kind: "network", reason: "unreachable" });
    }
  }
}
