import type { MaterialisedText } from "../definition/definition.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import { type ApprovedLaunch, approveLaunch } from "./approved-launch.ts";
import { checkCwd } from "./check-cwd.ts";
import { checkEnvironmentKeys, childEnvironment } from "./check-environment.ts";
import { checkExecutable } from "./check-executable.ts";
import type { Look } from "./file-facts.ts";
import type { LaunchGrant, LaunchRequest } from "./launch-grant.ts";
import { type StdioRefusal, stdioRefusal } from "./refusal.ts";

export interface LaunchQuestion {
  readonly request: LaunchRequest;
  readonly grant: LaunchGrant;
  readonly look: Look;
  /** The definition's environment values. Called once, after every check that needs none of them (X1). */
  readonly values: () => ReadonlyMap<string, MaterialisedText>;
}

/** Checks steps 3 to 5 of X2, in that order, and seals what may be started. */
export async function checkLaunch({
  request,
  grant,
  look,
  values,
}: LaunchQuestion): Promise<Outcome<ApprovedLaunch, StdioRefusal>> {
  const executable = await checkExecutable(request, { grant, look });
  if (!executable.ok) return executable;
  const cwd = await checkCwd(request.cwd, { root: grant.root, look });
  if (!cwd.ok) return cwd;
  const keys = checkEnvironmentKeys(request.envKeys, grant);
  if (!keys.ok) return keys;
  const environment = childEnvironment(values(), grant);
  if (!environment.ok) return environment;
  return accept(
    approveLaunch({
      executable: executable.value.realPath,
      argv0: grant.argv0,
      args: [...request.args],
      cwd: cwd.value.realPath,
      environment: environment.value,
      identities: { executable: executable.value.identity, cwd: cwd.value.identity },
    }),
  );
}

/**
 * Checks the files again, immediately before the spawn (X3): the same executable and the same folder as at
 * admission. What it cannot exclude is a replacement between this look and the system call.
 */
export async function recheckLaunch(
  launch: ApprovedLaunch,
  look: Look,
): Promise<Outcome<true, StdioRefusal>> {
  const executable = await look(launch.executable);
  if (
    executable === undefined ||
    executable.realPath !== launch.executable ||
    executable.kind !== "file" ||
    !executable.executable ||
    executable.identity !== launch.identities.executable
  ) {
    return refuse(stdioRefusal("authority", "executable-changed"));
  }
  const cwd = await look(launch.cwd);
  if (
    cwd === undefined ||
    cwd.realPath !== launch.cwd ||
    cwd.kind !== "folder" ||
    cwd.identity !== launch.identities.cwd
  ) {
    return refuse(stdioRefusal("cwd", "cwd-changed"));
  }
  return accept(true);
}
