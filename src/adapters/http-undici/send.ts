import type { Dispatcher } from "undici";

import { judgeRedirect } from "../../domain/egress/redirect.ts";
import type { EgressFailure, EgressRefusal } from "../../domain/egress/refusal.ts";
import type { AdmittedTarget } from "../../domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import { EgressError, type EgressRequest, type EgressResponse } from "../../ports/egress.ts";
import type { Connection, Connections } from "./connections.ts";
import { dial } from "./dial.ts";
import { Exchange } from "./exchange.ts";
import type { Life } from "./life.ts";
import { dialThroughProxy, THROUGH_PROXY } from "./proxy.ts";
import { createResponse, firstValue } from "./response.ts";
import type { Route } from "./route.ts";
import type { StartTls } from "./start-tls.ts";
import { within } from "./within.ts";

export interface SenderOptions {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly startTls: StartTls;
  readonly connectMs: number;
  readonly headersMs: number;
}

export interface Sending {
  readonly target: AdmittedTarget;
  readonly route: Route;
  readonly request: EgressRequest;
  readonly dispatch: Dispatcher.DispatchOptions;
  readonly life: Life;
}

type Answer = Outcome<EgressResponse, EgressRefusal | EgressFailure>;

/** Sends one request over one socket of its route, and judges the head of the answer. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** An idle socket that turns out to be gone before anything was sent costs a new one, never the call. */
  async send(sending: Sending): Promise<Answer> {
    const { target, route } = sending;
    const idle = this.#options.connections.take(target.origin, (address) => isOnRoute(address, route));
    const first = idle === undefined ? "not-sent" : await this.#ask(idle, sending);
    if (first !== "not-sent") return first;
    const fresh = await this.#connect(sending);
    if (!fresh.ok) return fresh;
    const second = await this.#ask(fresh.value, sending);
    return second === "not-sent" ? refuse({ kind: "network", reason: "connection-reset" }) : second;
  }

  async #connect({
    target,
    route,
    life,
  }: Sending): Promise<Outcome<Connection, EgressRefusal | EgressFailure>> {
    const options = { ...this.#options, signal: life.signal };
    const dialled =
      route.via === "proxy"
        ? await dialThroughProxy(target, route.proxy, options)
        : await dial(target, route.pins, options);
    return dialled.ok ? accept(this.#options.connections.add(target.origin, dialled.value)) : dialled;
  }

  async #ask(connection: Connection, sending: Sending): Promise<Answer | "not-sent"> {
    const { clock, headersMs } = this.#options;
    const { target, request, life } = sending;
    const exchange = this.#dispatch(connection, sending);
    const limitMs = request.headersTimeoutMs ?? headersMs;
    const head = await within(limitMs, { clock, signal: life.signal }, () => exchange.head);
    if (!head.ok) return cut(exchange, { kind: "egress", reason: "timeout" });
    if ("kind" in head.value) return exchange.started ? refuse(head.value) : "not-sent";
    life.signal.throwIfAborted();
    const { status, headers } = head.value;
    const redirect = judgeRedirect(target, { status, location: firstValue(headers, "location") });
    if (redirect !== undefined) return cut(exchange, redirect);
    return accept(createResponse(exchange, head.value, request.responseLimitBytes));
  }

  #dispatch(connection: Connection, { dispatch, life }: Sending): Exchange {
    const { connections } = this.#options;
    // The last look before bytes leave: the abort may have come while nobody was listening.
    if (life.signal.aborted) {
      connections.destroy(connection);
      throw life.signal.reason;
    }
    const exchange = new Exchange((reusable) => {
      if (reusable) connections.giveBack(connection);
      else connections.destroy(connection);
      if (exchange.started) life.end();
    });
    life.signal.addEventListener("abort", () => exchange.cut(life.signal.reason), { once: true });
    connection.client.dispatch(dispatch, exchange);
    return exchange;
  }
}

function isOnRoute(address: string, route: Route): boolean {
  if (route.via === "proxy") return address === THROUGH_PROXY;
  return route.pins.some((pin) => pin.address === address);
}

function cut(exchange: Exchange, refusal: EgressRefusal): Answer {
  exchange.cut(new EgressError(refusal));
  return refuse(refusal);
}
