import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A fresh canonical folder that goes away with the test. */
export async function tempFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sallyport-")));
  // A grandchild that another program leaves behind may write a moment longer.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
