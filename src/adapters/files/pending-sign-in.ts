import { constants } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { decodePendingDocument, pendingDocument } from "../../domain/oauth/credential-document.ts";
import { credentialSlot, isSameKey } from "../../domain/oauth/credential-slot.ts";
import type { CredentialKey } from "../../domain/oauth/credential.ts";
import type { PendingSignIn } from "../../domain/oauth/pending-sign-in.ts";
import type { AuthReason, AuthRefusal } from "../../domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PendingSignInStore } from "../../ports/pending-sign-in-store.ts";
import { replaceFile } from "./atomic-file.ts";
import {
  checkOwnerOnlyFolder,
  codeOf,
  ensureOwnerOnlyFolder,
  openOwnerOnlyFile,
  translated,
} from "./owner-only.ts";
import { seal, sealingKey, unseal } from "./seal.ts";

/** In Sallyport's home; the key lies beside it, so that a copy of the folder alone opens nothing. */
const FOLDER = "sign-ins";
const KEY_FILE = "sign-ins.key";
/** A record of longest fields, encrypted and in base64, stays below. */
const FILE_LIMIT_BYTES = 1024 * 1024;

export interface FilePendingSignInStoreOptions {
  /** Sallyport's home: outside every workspace. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Keeps sign-ins between their two steps, sealed (AES-256-GCM), in `sign-ins` in Sallyport's home: folder mode
 * 0700, files mode 0600, named by a digest of the server's identity and URL. A file is renamed before it is read, so
 * that of all processes one takes it; what is left of it is empty and says that it was used.
 */
export function createFilePendingSignInStore(options: FilePendingSignInStoreOptions): PendingSignInStore {
  return {
    save: async (pending, { signal }) => {
      signal.throwIfAborted();
      const saved = await save(pending, options.folder);
      return saved.ok ? saved : refused(pending.key, "store-failed");
    },
    take: async (key, { signal }) => {
      signal.throwIfAborted();
      const taken = await take(key, options.folder);
      if (!taken.ok) return refused(key, isPendingReason(taken.refusal) ? taken.refusal : "store-failed");
      const expired = options.clock.nowMs() >= taken.value.expiresAtMs;
      return expired ? refused(key, "pending-expired") : taken;
    },
  };
}

type PendingReason = Extract<AuthReason, "pending-missing" | "pending-used">;

function isPendingReason(reason: string): reason is PendingReason {
  return reason === "pending-missing" || reason === "pending-used";
}

function refused({ serverId }: CredentialKey, reason: AuthReason): Outcome<never, AuthRefusal> {
  return refuse({ kind: "auth", reason, serverId });
}

function places(folder: string, key: CredentialKey) {
  const slot = credentialSlot(key);
  return {
    context: `sallyport pending sign-in 1 ${slot}`,
    waiting: join(folder, `${slot}.sealed`),
    used: join(folder, `${slot}.used`),
  };
}

async function save(pending: PendingSignIn, home: string): Promise<Outcome<true, StoreReason>> {
  const key = await sealingKey(join(home, KEY_FILE));
  if (!key.ok) return key;
  const folder = await ensureOwnerOnlyFolder(join(home, FOLDER), "private");
  if (!folder.ok) return folder;
  const { context, waiting, used } = places(folder.value, pending.key);
  // Here secrets leave for their file: sealed, as they are written.
  const text = JSON.stringify(pendingDocument(pending, (secret) => secret.reveal()));
  return translated(async () => {
    await replaceFile(waiting, seal(text, { key: key.value, context }), { mayReplace: () => true });
    await rm(used, { force: true });
    return accept(true);
  });
}

async function take(
  key: CredentialKey,
  home: string,
): Promise<Outcome<PendingSignIn, StoreReason | PendingReason>> {
  const folder = await checkOwnerOnlyFolder(join(home, FOLDER), "private");
  if (!folder.ok) return folder;
  if (folder.value === undefined) return refuse("pending-missing");
  const { context, waiting, used } = places(folder.value, key);
  const claimed = await claim(waiting, used);
  if (!claimed.ok) return claimed;
  const sealed = await readAndEmpty(used);
  if (!sealed.ok) return sealed;
  const sealing = await sealingKey(join(home, KEY_FILE));
  if (!sealing.ok) return sealing;
  const text = unseal(sealed.value, { key: sealing.value, context });
  if (text === undefined) return refuse("store-corrupt");
  const decoded = decodePendingDocument(JSON.parse(text));
  if (!decoded.ok || !isSameKey(decoded.value.key, key)) return refuse("store-corrupt");
  return decoded;
}

/** The rename succeeds for one caller; from then on it is used, whatever happens to that caller. */
async function claim(waiting: string, used: string): Promise<Outcome<true, StoreReason | PendingReason>> {
  try {
    await rename(waiting, used);
    return accept(true);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    if (codeOf(error) !== "ENOENT") return refuse("store-failed");
  }
  const known = await lstat(used).then(
    () => true,
    () => false,
  );
  return refuse(known ? "pending-used" : "pending-missing");
}

async function readAndEmpty(path: string): Promise<Outcome<string, StoreReason>> {
  const opened = await openOwnerOnlyFile(path, constants.O_RDWR);
  if (!opened.ok) return opened;
  const file = opened.value;
  if (file === undefined) return refuse("store-failed");
  return translated(async () => {
    try {
      const { size } = await file.stat();
      if (size > FILE_LIMIT_BYTES) return refuse("store-corrupt");
      const text = await file.readFile("utf8");
      await file.truncate(0);
      return accept(text);
    } finally {
      await file.close();
    }
  });
}
