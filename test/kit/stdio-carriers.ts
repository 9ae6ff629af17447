import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { TestContext } from "node:test";

import { createProcessRunner } from "../../src/adapters/child-process/process-runner.ts";
import { createFileProbe } from "../../src/adapters/files/file-probe.ts";
import {
  type StdioAdapterOptions,
  type StdioConstructOptions,
  createStdioAdapter,
} from "../../src/adapters/mcp-sdk/stdio-adapter.ts";
import type { StdioCarrier } from "../../src/adapters/mcp-sdk/stdio-carrier.ts";
import { createSystemClock } from "../../src/adapters/system/clock.ts";
import type { MaterialisedText } from "../../src/domain/definition/definition.ts";
import type { LaunchGrant } from "../../src/domain/launch/launch-grant.ts";
import { assertGroupGone, childFixture } from "./child-groups.ts";
import { approvedStatus, fakeAuthority, stdioDefinition, subjectFor } from "./stdio-definition.ts";

/** The node that runs the tests, as an authority would name it. */
export const NODE: string = realpathSync(process.execPath);
/** Rungs short enough for a test to climb them all. */
export const SHORT_LADDER = { stdinMs: 60, termMs: 60, killMs: 2_000, drainMs: 60 } as const;

export interface ChildOptions extends StdioConstructOptions {
  readonly args?: readonly (string | MaterialisedText)[];
  readonly cwd?: string;
  readonly env?: ReadonlyMap<string, MaterialisedText>;
  readonly command?: string;
  readonly grant?: Partial<LaunchGrant>;
  readonly adapter?: Partial<StdioAdapterOptions>;
}

/**
 * A carrier over a real child that runs a program of test/fixtures/children, admitted as a host would. After
 * the test it is closed and its process group has to be gone.
 */
export async function childCarrier(
  t: TestContext,
  fixture: string,
  options: ChildOptions = {},
): Promise<StdioCarrier> {
  const clock = createSystemClock();
  const definition = stdioDefinition({
    command: options.command ?? NODE,
    args:
      options.command === undefined ? [childFixture(fixture), ...(options.args ?? [])] : (options.args ?? []),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env !== undefined && { env: options.env }),
  });
  const adapter = createStdioAdapter({
    authority: fakeAuthority({
      root: realpathSync(dirname(childFixture(fixture))),
      executable: options.command ?? NODE,
      ...options.grant,
    }),
    runner: createProcessRunner({ clock, ladder: SHORT_LADDER }),
    probe: createFileProbe(),
    clock,
    ...options.adapter,
  });
  const subject = subjectFor(definition);
  const admitted = await adapter.admit(definition, { subject, status: approvedStatus(subject) });
  if (!admitted.ok) throw new Error(`not admitted: ${JSON.stringify(admitted.refusal)}`);
  const carrier = adapter.construct(admitted.value, options);
  t.after(async () => {
    await carrier.close();
    if (carrier.pid !== null) await assertGroupGone(carrier.pid);
  });
  return carrier;
}
