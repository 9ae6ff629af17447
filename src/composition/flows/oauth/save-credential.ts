import type { Credential, CredentialKey } from "../../../domain/oauth/credential.ts";
import { generationOf } from "../../../domain/oauth/credential-state.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { lockFault, storeFault } from "./auth-refusals.ts";
import { uncut } from "./bounded-exchange.ts";
import type { OauthPorts } from "./oauth-server.ts";

/** As long as a lock may block anybody (U10). */
export const LOCK_WAIT_MS = 60_000;

export type StoragePorts = Pick<OauthPorts, "store" | "lock" | "random">;

export function nextGeneration({ random }: Pick<OauthPorts, "random">): string {
  return generationOf(random.bytes(16));
}

/**
 * Saves what a sign-in brought, in the place of whatever was there. Not cut by an abort: the code is spent.
 * No refresh is under way meanwhile.
 */
export async function saveCredential(
  record: Omit<Credential, "generation">,
  ports: StoragePorts,
): Promise<Outcome<Credential, AuthFault>> {
  const signal = uncut();
  const credential: Credential = { ...record, generation: nextGeneration(ports) };
  const held = await ports.lock.hold<Outcome<Credential, AuthFault>>(
    record.key,
    async (lease) => {
      if (!(await lease.stillHeld())) return refuse({ reason: "lock-timeout" });
      const saved = await ports.store.set(credential, { signal });
      return saved.ok ? accept(credential) : refuse(storeFault(saved.refusal));
    },
    { signal, waitMs: LOCK_WAIT_MS },
  );
  return held.ok ? held.value : refuse(lockFault(held.refusal));
}

/** Drops a client that its server no longer knows, with its tokens (U6), unless another took its place. */
export async function dropClient(
  key: CredentialKey,
  clientId: string,
  ports: StoragePorts,
): Promise<Outcome<true, AuthFault>> {
  const signal = uncut();
  const held = await ports.lock.hold<Outcome<true, AuthFault>>(
    key,
    async (lease) => {
      const stored = await ports.store.get(key, { signal });
      if (!stored.ok) return refuse(storeFault(stored.refusal));
      if (stored.value?.client.clientId !== clientId) return accept(true);
      if (!(await lease.stillHeld())) return refuse({ reason: "lock-timeout" });
      const { generation } = stored.value;
      const gone = await ports.store.delete(key, { signal, ifGeneration: generation });
      return gone.ok ? gone : refuse(storeFault(gone.refusal));
    },
    { signal, waitMs: LOCK_WAIT_MS },
  );
  return held.ok ? held.value : refuse(lockFault(held.refusal));
}

/** A sign-in that has ended waits no longer than this for a lock. */
const DOUBT_WAIT_MS = 1_000;

/**
 * Takes its redirect URIs from a kept registration whose page nobody came back from, so that the next sign-in
 * registers anew; the tokens stay. A server that has forgotten a client says so on the page, to the person
 * alone. What goes wrong here is no one's news: the sign-in has ended otherwise.
 */
export async function doubtClient(key: CredentialKey, clientId: string, ports: StoragePorts): Promise<void> {
  const signal = uncut();
  await ports.lock.hold(
    key,
    async (lease) => {
      const read = await ports.store.get(key, { signal });
      const stored = read.ok ? read.value : undefined;
      if (stored?.client.clientId !== clientId || stored.client.origin !== "dynamic") return;
      if (!(await lease.stillHeld())) return;
      const client = { ...stored.client, redirectUris: [] };
      const doubted = { ...stored, client, generation: nextGeneration(ports) };
      await ports.store.set(doubted, { signal, ifGeneration: stored.generation });
    },
    { signal, waitMs: DOUBT_WAIT_MS },
  );
}
