import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { ROOT } from "../architecture/source-files.ts";

const run = promisify(execFile);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty project into which the tarball was installed as anybody would. */
export interface Installed {
  readonly project: string;
  /** Files in the tarball, as npm lists them. */
  readonly packed: readonly string[];
  /** Runs this Node in the project, with `input` as all that stdin has. Does not throw on a code. */
  node(args: readonly string[], input?: string): Promise<Ran>;
  /** Runs the command through the shim that npm made. */
  command(args: readonly string[]): Promise<Ran>;
  remove(): Promise<void>;
}

export async function installTarball(): Promise<Installed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sallyport-packed-")));
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(
    join(project, "package.json"),
    '{ "name": "consumer", "private": true, "type": "module" }\n',
  );
  const { tarball, packed } = await pack(folder);
  await npm(["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", tarball], project);
  const environment = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    SALLYPORT_HOME: join(folder, "home"),
  };
  const spawned = (file: string, args: readonly string[], input = ""): Promise<Ran> =>
    ran(file, args, { cwd: project, env: environment, input });
  return {
    project,
    packed,
    node: (args, input) => spawned(process.execPath, args, input),
    command: (args) => spawned(join(project, "node_modules/.bin/sallyport"), args),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface PackedByNpm {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

async function pack(into: string): Promise<{ readonly tarball: string; readonly packed: readonly string[] }> {
  const { stdout } = await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", into], ROOT);
  // npm 11 prints a list, npm 12 an object by name: both hold the one package.
  const [made] = Object.values<PackedByNpm>(JSON.parse(stdout));
  if (made === undefined) throw new Error("npm pack made nothing");
  return { tarball: join(into, made.filename), packed: made.files.map(({ path }) => path).toSorted() };
}

function npm(args: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  return run("npm", args, { cwd, maxBuffer: 16 * 1024 * 1024 });
}

function ran(
  file: string,
  args: readonly string[],
  { cwd, env, input }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input: string },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, { cwd, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number") resolve({ code, stdout, stderr });
      else reject(error ?? new Error("ended by a signal"));
    });
    child.stdin?.end(input);
  });
}
