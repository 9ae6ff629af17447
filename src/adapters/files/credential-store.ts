import { join } from "node:path";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { credentialDocument, decodeCredentialDocument } from "../../domain/oauth/credential-document.ts";
import { credentialSlot, isSameKey } from "../../domain/oauth/credential-slot.ts";
import type { Credential, CredentialKey } from "../../domain/oauth/credential.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  CredentialStore,
  CredentialStoreRefusal,
  CredentialWriteOptions,
} from "../../ports/credential-store.ts";
import { type StateFile, createStateFile } from "./state-file.ts";

/** In Sallyport's home. Mode 0700: not even the names in it are for others. */
const FOLDER = "credentials";

export interface FileOAuthCredentialStoreOptions {
  /** Sallyport's home: outside every workspace. Credentials are kept in `credentials` in it, one file each. */
  readonly folder: string;
  readonly clock: Clock;
  /** How long to wait for another process that is writing the same credential, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
}

/**
 * Keeps each credential in a file of its own (U9): folder mode 0700, file mode 0600, replaced as a whole and read
 * back. The file's name is a digest of the security identity and the canonical URL.
 *
 * Reading creates nothing. A record that is corrupt, belongs to another key, comes from a later version, or could
 * have been read or written by others is `store-failed`: never absent, and never overwritten. Deleting removes it.
 * A record that could not be read back is `store-too-large` and not written.
 */
export function createFileOAuthCredentialStore(options: FileOAuthCredentialStoreOptions): CredentialStore {
  return {
    get: async (key, call) => asCredentialOutcome(await recordFile(key, options).load(call)),
    set: async (credential, call) => {
      const file = recordFile(credential.key, options);
      const written = await replaceRecord(file, credential, call);
      if (!written.ok || !written.value) return asWriteOutcome(written);
      // Some file systems ignore modes: what others can read by now must not be called kept.
      const readBack = await file.load(call);
      return readBack.ok ? accept(true) : asCredentialOutcome(readBack);
    },
    delete: async (key, { signal, ifGeneration }) =>
      asWriteOutcome(
        await recordFile(key, options).remove({
          signal,
          ...(ifGeneration !== undefined && {
            mayRemove: (record) => record === undefined || record.generation === ifGeneration,
          }),
        }),
      ),
  };
}

type RecordFile = StateFile<Credential | undefined>;

function recordFile(key: CredentialKey, options: FileOAuthCredentialStoreOptions): RecordFile {
  return createStateFile<Credential | undefined>({
    folder: join(options.folder, FOLDER),
    folderAccess: "private",
    name: `${credentialSlot(key)}.json`,
    clock: options.clock,
    lockWaitMs: options.lockWaitMs,
    decode: (value) => decodeRecord(value, key),
    encode: (record) => record && credentialDocument(record, reveal),
    empty: undefined,
  });
}

function decodeRecord(value: unknown, key: CredentialKey): Outcome<Credential, StoreReason> {
  const decoded = decodeCredentialDocument(value);
  if (!decoded.ok) return refuse(decoded.refusal === "too-new" ? "store-too-new" : "store-corrupt");
  return isSameKey(decoded.value.key, key) ? decoded : refuse("store-corrupt");
}

/** Here secrets leave for their file. */
function reveal(secret: Secret): string {
  return secret.reveal();
}

/** Answers whether the record was written: `false` when another one than expected is there. */
async function replaceRecord(
  file: RecordFile,
  credential: Credential,
  { signal, ifGeneration }: CredentialWriteOptions,
): Promise<Outcome<boolean, StoreReason>> {
  let expected = true;
  const outcome = await file.update(
    (current) => {
      expected = ifGeneration === undefined || current?.generation === ifGeneration;
      return expected ? credential : current;
    },
    { signal },
  );
  return outcome.ok ? accept(expected) : outcome;
}

function asWriteOutcome(outcome: Outcome<boolean, StoreReason>): Outcome<true, CredentialStoreRefusal> {
  if (!outcome.ok) return asCredentialOutcome(outcome);
  return outcome.value ? accept(true) : refuse({ kind: "credential-store", reason: "store-changed" });
}

function asCredentialOutcome<Value>(
  outcome: Outcome<Value, StoreReason>,
): Outcome<Value, CredentialStoreRefusal> {
  if (outcome.ok) return outcome;
  const reason = outcome.refusal === "store-full" ? "store-too-large" : "store-failed";
  return refuse({ kind: "credential-store", reason });
}
