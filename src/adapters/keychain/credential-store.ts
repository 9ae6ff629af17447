import { credentialDocument, decodeCredentialDocument } from "../../domain/oauth/credential-document.ts";
import { credentialSlot, isSameKey } from "../../domain/oauth/credential-slot.ts";
import type { Credential, CredentialKey } from "../../domain/oauth/credential.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import type {
  CredentialStore,
  CredentialStoreRefusal,
  CredentialWriteOptions,
} from "../../ports/credential-store.ts";
import { DamagedEntries, type EntryStore, createEntryStore } from "./entry-store.ts";
import { asciiJson } from "./entry-text.ts";
import { KeychainUnavailable, type Keyring, loadInstalledKeyring, openKeyring } from "./keyring.ts";

const SERVICE = "sallyport";

/** Windows: 2,560 bytes of UTF-16 in one entry (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
export const WINDOWS_ENTRY_LIMIT_CHARS = 1_280;
/** macOS and the Secret Service name no limit; one entry a record means one question to the person at most. */
const ENTRY_LIMIT_CHARS = 65_536;

export interface KeychainCredentialStoreOptions {
  /** Name under which the keychain shows the entries. Default `sallyport`. Two names share nothing. */
  readonly service?: string;
  /** Answers the keychain module. Default: imports `@napi-rs/keyring` (an optional peer) at the first use. */
  readonly load?: () => Promise<unknown>;
  /** Characters that one entry holds, from 128. Default: 1,280 on Windows, else 65,536. */
  readonly entryLimitChars?: number;
}

/**
 * Keeps credentials in the keychain of the person: macOS Keychain, Windows Credential Manager, or the Secret Service
 * on Linux (U9). Nothing else changes for the host. Entries are named by a digest of the security identity and the
 * canonical URL; a record that is larger than an entry lies in up to 64, whole or not at all.
 *
 * A keychain that is not there, not installed or locked is `store-unavailable`, never empty. A record that is
 * damaged, belongs to another key or comes from a later version is `store-failed`. Reading rejects with
 * `signal.reason` at once; writing looks at the signal between its steps, since the keychain cannot be stopped.
 */
export function createKeychainCredentialStore(options: KeychainCredentialStoreOptions = {}): CredentialStore {
  const open = keyringOpener(options);
  const inTurn = createTurns();
  const entryLimitChars =
    options.entryLimitChars ?? (process.platform === "win32" ? WINDOWS_ENTRY_LIMIT_CHARS : ENTRY_LIMIT_CHARS);
  const entriesOf = async (key: CredentialKey, signal: AbortSignal): Promise<EntryStore> => {
    signal.throwIfAborted();
    const checkpoint = (): void => signal.throwIfAborted();
    return createEntryStore({
      keyring: await open(),
      name: credentialSlot(key),
      entryLimitChars,
      checkpoint,
    });
  };
  return {
    get: (key, { signal }) =>
      refusing(() =>
        raced(
          entriesOf(key, signal).then((entries) => readRecord(key, entries)),
          signal,
        ),
      ),
    set: (credential, call) =>
      inTurn(credential.key, () =>
        refusing(async () => writeRecord(credential, await entriesOf(credential.key, call.signal), call)),
      ),
    delete: (key, call) =>
      inTurn(key, () => refusing(async () => deleteRecord(key, await entriesOf(key, call.signal), call))),
  };
}

type Stored<Value> = Outcome<Value, CredentialStoreRefusal>;

async function readRecord(key: CredentialKey, entries: EntryStore): Promise<Stored<Credential | undefined>> {
  const text = await entries.read();
  return text === undefined ? accept(undefined) : decodeRecord(text, key);
}

async function writeRecord(
  credential: Credential,
  entries: EntryStore,
  { ifGeneration }: CredentialWriteOptions,
): Promise<Stored<true>> {
  const text = asciiJson(credentialDocument(credential, reveal));
  // What could not be read back must not be written.
  if (!decodeRecord(text, credential.key).ok) return refused("store-too-large");
  const current = await readRecord(credential.key, entries);
  if (!current.ok) return current;
  if (ifGeneration !== undefined && current.value?.generation !== ifGeneration)
    return refused("store-changed");
  return (await entries.write(text)) ? accept(true) : refused("store-too-large");
}

async function deleteRecord(
  key: CredentialKey,
  entries: EntryStore,
  { ifGeneration }: CredentialWriteOptions,
): Promise<Stored<true>> {
  if (ifGeneration !== undefined) {
    const current = await readRecord(key, entries);
    if (!current.ok) return current;
    const other = current.value !== undefined && current.value.generation !== ifGeneration;
    if (other) return refused("store-changed");
  }
  await entries.remove();
  return accept(true);
}

function decodeRecord(text: string, key: CredentialKey): Stored<Credential> {
  const decoded = decodeCredentialDocument(parseJson(text));
  return decoded.ok && isSameKey(decoded.value.key, key) ? decoded : refused("store-failed");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No record decodes from nothing. The message would quote the entry.
    return undefined;
  }
}

/** Here secrets leave for the keychain. */
function reveal(secret: Secret): string {
  return secret.reveal();
}

function refused(reason: CredentialStoreRefusal["reason"]): {
  readonly ok: false;
  readonly refusal: CredentialStoreRefusal;
} {
  return refuse({ kind: "credential-store", reason });
}

/** What else is thrown is a bug, or the reason of an abort. */
async function refusing<Value>(work: () => Promise<Stored<Value>>): Promise<Stored<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KeychainUnavailable) return refused("store-unavailable");
    if (error instanceof DamagedEntries) return refused("store-failed");
    throw error;
  }
}

/** Loads once; what failed is tried again, since a keychain can be unlocked or installed meanwhile. */
function keyringOpener(options: KeychainCredentialStoreOptions): () => Promise<Keyring> {
  const { service = SERVICE, load = loadInstalledKeyring } = options;
  let opening: Promise<Keyring> | undefined;
  return () => {
    opening ??= openKeyring({ service, load }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

/** Writers of one record go one after the other. Those of other processes are kept apart by the refresh lock. */
function createTurns(): <Value>(key: CredentialKey, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const name = credentialSlot(key);
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}

/** A keychain may wait for a person: who reads need not. */
function raced<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
