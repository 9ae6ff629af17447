import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs a fixture to its end and answers what it printed; rejects when it fails. */
export async function runFixture(
  path: string,
  args: readonly string[],
  options: { readonly fileLimitBlocks?: number } = {},
): Promise<string> {
  const script = fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
  const command = [process.execPath, script, ...args];
  // A shell's own limit on file size stands for a full disk: writing beyond it fails in the kernel.
  const child =
    options.fileLimitBlocks === undefined
      ? spawn(process.execPath, command.slice(1), { stdio: ["ignore", "pipe", "inherit"] })
      : spawn("/bin/sh", ["-c", `ulimit -f ${options.fileLimitBlocks}; exec "$@"`, "sh", ...command], {
          stdio: ["ignore", "pipe", "inherit"],
        });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`fixture ended with ${signal ?? code}`));
    });
  });
}
