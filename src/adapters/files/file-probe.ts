import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";

import type { FileFacts, FileProbe } from "../../ports/process-runner.ts";

/** Looks at the file system of this machine. Every failure is "nothing there": it never rejects. */
export function createFileProbe(): FileProbe {
  return {
    look: async (path) => {
      try {
        return await factsOf(path);
      } catch {
        // Absent, a loop of links, a folder on the way that may not be searched, a NUL in the path.
        return undefined;
      }
    },
  };
}

async function factsOf(path: string): Promise<FileFacts> {
  const realPath = await realpath(path);
  const stats = await stat(realPath, { bigint: true });
  const executable = await access(realPath, constants.X_OK).then(
    () => true,
    () => false,
  );
  const place = `${stats.dev}:${stats.ino}`;
  if (stats.isDirectory()) return { realPath, kind: "folder", executable, identity: place };
  return {
    realPath,
    kind: stats.isFile() ? "file" : "other",
    executable,
    // Not ctime: a backup or a quarantine mark changes it and not a byte of the file.
    identity: `${place}:${stats.size}:${stats.mtimeNs}`,
  };
}
