import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A fresh canonical folder that goes away with the test. */
export async function tempFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sallyport-")));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
