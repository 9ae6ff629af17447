import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { ReconnectPolicy } from "../../domain/supervision/transition.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { McpSession } from "./mcp-session.ts";

/** Why there is no session. `untrusted` holds the server's own words, cleaned and cut. */
export interface ConnectionFailure {
  readonly refusal: Refusal;
  readonly untrusted?: { readonly message: string; readonly code?: number };
}

/**
 * Opens one connection to a server: admission and all. A refusal is a value. It should settle soon after its signal
 * aborts; a session that it answers after that is closed.
 */
export type OpenConnection = (
  serverId: string,
  call: { readonly signal: AbortSignal },
) => Promise<Outcome<McpSession, ConnectionFailure>>;

export interface SupervisorOptions {
  readonly open: OpenConnection;
  readonly clock: Clock;
  readonly random: Random;
  /** Servers that start to connect side by side (V7). Whole, from 1. Default 8. */
  readonly concurrency?: number;
  /**
   * How long a connection may go unused before it is closed (V5); the next use connects again. Never while a request or
   * a subscription is in flight. Milliseconds, from 1; `Infinity`: it stays. Default 5 min.
   */
  readonly idleMs?: number;
  /** How long one attempt to connect may take in all, whatever `open` does. Milliseconds, from 1. Default 60 s. */
  readonly attemptMs?: number;
  /**
   * What is tried again by itself, when it failed in a way that passes (V2): `lost`, what had been connected; `all`, also
   * what never came about; `none`. Whoever asks gets an attempt at once in any case. Default `lost`.
   */
  readonly reconnect?: ReconnectPolicy;
}

export interface SupervisorDefaults {
  readonly concurrency: number;
  readonly idleMs: number;
  readonly attemptMs: number;
  readonly reconnect: ReconnectPolicy;
}

/** C7b, V7. Times in milliseconds. */
export const SUPERVISOR_DEFAULTS: SupervisorDefaults = {
  concurrency: 8,
  idleMs: 5 * 60 * 1_000,
  /** Twice what a session's start may take: the rest is for admission, and for a program that makes headers. */
  attemptMs: 60_000,
  reconnect: "lost",
};

/** Timers of JavaScript count in 31 bits; a longer one would fire at once. */
export const TIMER_LIMIT_MS: number = 2 ** 31 - 1;

export type SupervisorSettings = Required<SupervisorOptions>;

/** @throws TypeError for a number that is none of those the options allow */
export function supervisorSettings(options: SupervisorOptions): SupervisorSettings {
  const settings = { ...SUPERVISOR_DEFAULTS, ...options };
  const { concurrency, idleMs, attemptMs } = settings;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TypeError("concurrency: a whole number from 1");
  if (!(isTimer(attemptMs) && (isTimer(idleMs) || idleMs === Infinity))) {
    throw new TypeError(`attemptMs, idleMs: milliseconds from 1 to ${TIMER_LIMIT_MS}`);
  }
  return settings;
}

function isTimer(ms: number): boolean {
  return ms >= 1 && ms <= TIMER_LIMIT_MS;
}
