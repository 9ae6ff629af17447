import type { FileFacts, Look } from "../../src/domain/launch/file-facts.ts";
import type { LaunchGrant, LaunchRequest } from "../../src/domain/launch/launch-grant.ts";

/** A file system of a few entries, to be changed by a test; a key may lead elsewhere through `realPath`. */
export type World = Map<string, FileFacts>;

export function file(realPath: string, facts: Partial<FileFacts> = {}): FileFacts {
  return { realPath, kind: "file", executable: true, identity: `file ${realPath}`, ...facts };
}

export function folder(realPath: string, facts: Partial<FileFacts> = {}): FileFacts {
  return { realPath, kind: "folder", executable: true, identity: `folder ${realPath}`, ...facts };
}

/** `/usr/bin/server` to run, `/work` to run it in. */
export function smallWorld(): World {
  return new Map([
    ["/usr/bin/server", file("/usr/bin/server")],
    ["/work", folder("/work")],
    ["/work/sub", folder("/work/sub")],
    ["/elsewhere", folder("/elsewhere")],
  ]);
}

export function lookIn(world: World, looked: string[] = []): Look {
  return async (path) => {
    looked.push(path);
    return world.get(path);
  };
}

export function launchRequest(request: Partial<LaunchRequest> = {}): LaunchRequest {
  return {
    serverId: "files",
    fingerprint: "f".repeat(64),
    command: "server",
    args: ["--stdio"],
    cwd: undefined,
    envKeys: [],
    ...request,
  };
}

export function launchGrant(grant: Partial<LaunchGrant> = {}): LaunchGrant {
  return {
    root: "/work",
    executable: "/usr/bin/server",
    argv0: "/usr/bin/server",
    argumentVectors: [["--stdio"]],
    environment: new Map(),
    allowedEnvKeys: [],
    allowedCodeChangingKeys: [],
    allowShell: false,
    generation: "1",
    ...grant,
  };
}
