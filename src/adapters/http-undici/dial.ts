import { connect, type Socket } from "node:net";

import type { EgressFailure, EgressRefusal } from "../../domain/egress/refusal.ts";
import type { PinnedAddress } from "../../domain/egress/resolution.ts";
import type { AdmittedTarget } from "../../domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import { translateError } from "./errors.ts";
import type { StartTls } from "./start-tls.ts";
import { within } from "./within.ts";

export interface DialOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For all addresses together. */
  readonly connectMs: number;
  readonly startTls: StartTls;
}

/** An open socket and the checked address at its other end. */
export interface Dialled {
  readonly socket: Socket;
  readonly address: string;
}

/**
 * Connects to the pinned addresses in their order, one attempt each, never to anything else (E6). Every
 * attempt gets an equal share of the time that is left, so that a silent address cannot use up what the
 * others need. A certificate that does not verify ends the walk: that is an answer, not an outage.
 */
export async function dial(
  target: AdmittedTarget,
  pins: readonly PinnedAddress[],
  { clock, signal, connectMs, startTls }: DialOptions,
): Promise<Outcome<Dialled, EgressRefusal | EgressFailure>> {
  const deadlineMs = clock.monotonicMs() + connectMs;
  let last: EgressRefusal | EgressFailure = { kind: "egress", reason: "timeout" };
  for (const [index, { address }] of pins.entries()) {
    const shareMs = Math.max(0, (deadlineMs - clock.monotonicMs()) / (pins.length - index));
    const attempt = await within(shareMs, { clock, signal, dropLate: destroyOpened }, (signal) =>
      connectTo(address, { target, signal, startTls }),
    );
    if (attempt.ok && attempt.value.ok) return accept({ socket: attempt.value.value, address });
    last = attempt.ok && !attempt.value.ok ? attempt.value.refusal : { kind: "egress", reason: "timeout" };
    if (last.reason === "tls") break;
  }
  return refuse(last);
}

function connectTo(
  host: string,
  {
    target: { scheme, hostname, port },
    signal,
    startTls,
  }: Pick<DialOptions, "signal" | "startTls"> & { readonly target: AdmittedTarget },
): Promise<Outcome<Socket, EgressFailure>> {
  const to = { host, port, lookup: neverLookUp };
  return scheme === "https"
    ? opened(startTls(hostname, to), { event: "secureConnect", signal })
    : opened(connect(to), { event: "connect", signal });
}

/** Settles when the socket is ready or failed; an abort destroys it. */
export function opened(
  socket: Socket,
  { event, signal }: { readonly event: "connect" | "secureConnect"; readonly signal: AbortSignal },
): Promise<Outcome<Socket, EgressFailure>> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<Socket, EgressFailure>): void => {
      socket.off(event, ready).off("error", fail);
      signal.removeEventListener("abort", stop);
      if (!outcome.ok) socket.destroy();
      resolve(outcome);
    };
    const ready = (): void => settle(accept(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS)));
    const fail = (error: Error): void => settle(refuse(translateError(error)));
    const stop = (): void => settle(refuse({ kind: "network", reason: "other" }));
    // One listener stays: between this promise and its reader the socket belongs to nobody else.
    socket.on("error", ignore).once(event, ready).once("error", fail);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Releases a socket that opened when its exchange was over. */
export function destroyOpened(attempt: Outcome<Socket, unknown>): void {
  if (attempt.ok) attempt.value.destroy();
}

/** TCP keep-alive, so that a stream that is silent for days notices a peer that is gone. */
const KEEP_ALIVE_PROBE_MS = 60_000;

function ignore(): void {
  // Whoever waits for this socket hears of its error by a listener of their own.
}

/** Only literal addresses are dialled. Should a name ever arrive here, it must not reach DNS a second time. */
function neverLookUp(_name: string, _options: unknown, answer: (error: Error, addresses: []) => void): void {
  answer(new Error("a socket goes to a checked address only"), []);
}
