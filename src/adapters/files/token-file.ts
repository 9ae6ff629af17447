import { open, unlink, type FileHandle } from "node:fs/promises";

import type { Secret } from "../../domain/secret.ts";
import { FILE_MODE } from "./owner-only.ts";

/** A file that is ours alone from its creation on, for one token and the life of this process. */
export interface TokenFile {
  /** Once. */
  write(token: Secret): Promise<void>;
  /** Removes it: what it holds opens nothing any more. Idempotent. */
  remove(): Promise<void>;
}

/**
 * Creates the file exclusively, with mode 0600, before there is a token. `undefined`: something is there already, or it
 * cannot be written there. What was there is neither opened nor followed: another user may have put it in the place.
 */
export async function createTokenFile(path: string): Promise<TokenFile | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "wx", FILE_MODE);
  } catch {
    return undefined;
  }
  const created = file;
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return {
    write: async (token) => {
      await created.writeFile(`${token.reveal()}\n`);
      await close();
    },
    remove: async () => {
      await close();
      // Gone already is as good.
      await unlink(path).catch(() => undefined);
    },
  };
}
