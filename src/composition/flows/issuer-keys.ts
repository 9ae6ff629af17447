import { admitTarget, type EgressPolicy } from "../../domain/egress/target.ts";
import {
  decodeKeySet,
  decodeKeySetPlace,
  KEY_DOCUMENT_LIMIT_BYTES,
  type IssuerKey,
} from "../../domain/gate/key-set.ts";
import { serverMetadataLocations } from "../../domain/oauth/server-metadata.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Egress } from "../../ports/egress.ts";
import { orAbandon } from "./abandon.ts";
import { startDeadline } from "./deadline.ts";

/** R9: whatever tokens ask for, the issuer is asked no more often. */
export const KEYS_REFETCH_MS = 30_000;
/** After it keys are read again with the next token, so that one the issuer withdrew is withdrawn here. */
export const KEYS_FRESH_MS = 300_000;
/** As long keys may stand when the issuer cannot be reached: an outage there is none here yet. */
export const KEYS_USABLE_MS = 900_000;
/** Metadata and key set together. */
export const KEYS_DEADLINE_MS = 10_000;

export interface IssuerKeysOptions {
  readonly issuer: string;
  readonly egress: Egress;
  readonly policy: EgressPolicy;
  readonly clock: Clock;
}

export interface IssuerKeys {
  /**
   * Finds a key. `undefined`: the issuer has none such. `unavailable`: nobody can say. An abort leaves alone, with
   * `signal.reason`: what is fetched is for everybody.
   */
  find(
    select: (keys: readonly IssuerKey[]) => IssuerKey | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<IssuerKey | undefined | "unavailable">;
}

/** Keeps the published keys of one issuer. Callers share each fetch, and none can end it for the others. */
export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { clock } = options;
  let kept: { readonly keys: readonly IssuerKey[]; readonly atMs: number } | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  const age = (): number => (kept === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - kept.atMs);
  const usable = (): readonly IssuerKey[] | undefined => (age() < KEYS_USABLE_MS ? kept?.keys : undefined);
  const start = (): Promise<void> => {
    const atMs = clock.monotonicMs();
    askedAtMs = atMs;
    return fetchKeys(options)
      .then((keys) => {
        if (keys !== undefined) kept = { keys, atMs };
      })
      .finally(() => {
        running = undefined;
      });
  };
  /** Asks the issuer, or joins who is asking; does nothing where it was asked just now. */
  const refresh = async (signal: AbortSignal): Promise<void> => {
    if (running === undefined && clock.monotonicMs() - askedAtMs < KEYS_REFETCH_MS) return;
    running ??= start();
    await orAbandon(running, signal);
  };
  return {
    find: async (select, { signal }) => {
      signal.throwIfAborted();
      if (age() >= KEYS_FRESH_MS) await refresh(signal);
      const known = usable();
      const key = known === undefined ? undefined : select(known);
      if (key !== undefined) return key;
      await refresh(signal);
      const keys = usable();
      const later = keys === undefined ? undefined : select(keys);
      // Only keys that came of the last time the issuer was asked can say that there is none.
      return later ?? (kept?.atMs === askedAtMs ? undefined : "unavailable");
    },
  };
}

/** `undefined`: they could not be had, for whatever reason. Never rejects. */
async function fetchKeys(options: IssuerKeysOptions): Promise<readonly IssuerKey[] | undefined> {
  const locations = serverMetadataLocations(options.issuer);
  if (!locations.ok) return undefined;
  const deadline = startDeadline(KEYS_DEADLINE_MS, {
    clock: options.clock,
    signal: new AbortController().signal,
  });
  try {
    for (const location of locations.value) {
      const metadata = await readDocument(location, { ...options, signal: deadline.signal });
      if (metadata === undefined) return undefined;
      const place =
        metadata.text === undefined ? undefined : decodeKeySetPlace(metadata.text, options.issuer);
      if (place === undefined) continue;
      const keySet = await readDocument(place, { ...options, signal: deadline.signal });
      return keySet?.text === undefined ? undefined : decodeKeySet(keySet.text);
    }
    return undefined;
  } catch {
    // An egress of the host's own may throw whatever it likes: without keys nobody comes in.
    return undefined;
  } finally {
    deadline.end();
  }
}

interface IssuerDocument {
  /** `undefined`: the issuer has none there, which is no outage. */
  readonly text: string | undefined;
}

/** A document to its end. `undefined`: it could not be had. */
async function readDocument(
  url: string,
  { egress, policy, signal }: IssuerKeysOptions & { readonly signal: AbortSignal },
): Promise<IssuerDocument | undefined> {
  const target = admitTarget(url, policy);
  if (!target.ok) return undefined;
  const answer = await egress.fetch(
    target.value,
    {
      method: "GET",
      headers: [["accept", "application/json"]],
      responseLimitBytes: KEY_DOCUMENT_LIMIT_BYTES,
    },
    { signal },
  );
  if (!answer.ok) return undefined;
  const { status, body } = answer.value;
  if (status !== 200) {
    answer.value.discard();
    return status >= 400 && status < 500 && status !== 429 ? { text: undefined } : undefined;
  }
  const text = await readText(body);
  return text === undefined ? undefined : { text };
}

/** Counts by itself as well: an egress of the host's own may not. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > KEY_DOCUMENT_LIMIT_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
