import { realpathSync } from "node:fs";
import { dirname } from "node:path";

import type { ApprovedLaunch } from "../../src/domain/launch/approved-launch.ts";
import { checkLaunch } from "../../src/domain/launch/check.ts";
import type { LaunchGrant } from "../../src/domain/launch/launch-grant.ts";
import { createFileProbe } from "../../src/adapters/files/file-probe.ts";
import { childFixture } from "./child-groups.ts";
import { launchGrant, launchRequest, lookIn, smallWorld } from "./launch-world.ts";

const PROBE = createFileProbe();
const NODE: string = realpathSync(process.execPath);

/** A launch of any program on this machine, through the real checks. */
export async function launchOf(
  executable: string,
  args: readonly string[],
  grant: Partial<LaunchGrant> = {},
): Promise<ApprovedLaunch> {
  const root = grant.root ?? realpathSync(dirname(executable));
  return approve({
    request: launchRequest({ command: executable, args }),
    grant: launchGrant({
      root,
      executable,
      argv0: executable,
      argumentVectors: [args],
      allowShell: true,
      ...grant,
    }),
    look: (path) => PROBE.look(path),
    values: () => new Map(),
  });
}

/** A launch of a program in test/fixtures/children. */
export function fixtureLaunch(
  name: string,
  args: readonly string[] = [],
  grant: Partial<LaunchGrant> = {},
): Promise<ApprovedLaunch> {
  return launchOf(NODE, [childFixture(name), ...args], grant);
}

/** A launch of nothing that exists, for runners that start nothing. */
export function imaginedLaunch(): Promise<ApprovedLaunch> {
  return approve({
    request: launchRequest(),
    grant: launchGrant(),
    look: lookIn(smallWorld()),
    values: () => new Map(),
  });
}

async function approve(question: Parameters<typeof checkLaunch>[0]): Promise<ApprovedLaunch> {
  const outcome = await checkLaunch(question);
  if (!outcome.ok) throw new Error(`not approved: ${JSON.stringify(outcome.refusal)}`);
  return outcome.value;
}
