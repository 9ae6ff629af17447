import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";

import type { ApprovedLaunch } from "../../src/domain/launch/approved-launch.ts";
import type { ProcessRunner, RunningProcess } from "../../src/ports/process-runner.ts";

export interface RunnerUnderTest {
  readonly runner: ProcessRunner;
  /** Starts a program that repeats its stdin on stdout, and exits with code N on a line `exit N`. */
  readonly repeater: ApprovedLaunch;
}

const NEVER = new AbortController().signal;

/** What every process runner does (X4, X6). */
export function processRunnerContract(
  name: string,
  make: (t: TestContext) => Promise<RunnerUnderTest>,
): void {
  const started = async (t: TestContext): Promise<RunningProcess> => {
    const { runner, repeater } = await make(t);
    const outcome = await runner.run(repeater, { signal: NEVER });
    assert.ok(outcome.ok);
    t.after(() => outcome.value.stop());
    return outcome.value;
  };

  test(`X4 ${name}: what is written reaches the child, and what it prints comes back in order`, async (t) => {
    const child = await started(t);
    const text = await new Promise<string>((resolve) => {
      let heard = "";
      child.onStdout((chunk) => {
        heard += Buffer.from(chunk).toString();
        if (heard.endsWith("two\n")) resolve(heard);
      });
      void child.write(Buffer.from("one\n")).then(() => child.write(Buffer.from("two\n")));
    });

    assert.equal(text, "one\ntwo\n");
  });

  test(`X6 ${name}: an exit is told with its code, and what was printed before it is delivered`, async (t) => {
    const child = await started(t);
    let heard = "";
    child.onStdout((chunk) => {
      heard += Buffer.from(chunk).toString();
    });
    await child.write(Buffer.from("last words\nexit 3\n"));

    assert.deepEqual(await child.exited, { code: 3, signal: null });
    assert.deepEqual(await child.drained, { code: 3, signal: null });
    assert.equal(heard, "last words\n");
  });

  test(`X6 ${name}: after stop the child has exited, a write rejects and nothing is heard`, async (t) => {
    const child = await started(t);
    child.onStdout(() => assert.fail("heard after stop"));

    assert.deepEqual(await child.stop(), { clean: true });

    await child.exited;
    await assert.rejects(child.write(Buffer.from("x\n")));
  });

  test(`X6 ${name}: stopping twice, also at once, is one stop`, async (t) => {
    const child = await started(t);

    assert.deepEqual(await Promise.all([child.stop(), child.stop()]), [{ clean: true }, { clean: true }]);
    assert.deepEqual(await child.stop(), { clean: true });
  });

  test(`X2 ${name}: an object that only looks like an approved launch throws`, async (t) => {
    const { runner, repeater } = await make(t);
    const { executable, argv0, args, cwd, environment, identities } = repeater;
    // `as`: this is the misuse that the types already refuse.
    const lookalike = { executable, argv0, args, cwd, environment, identities } as ApprovedLaunch;

    await assert.rejects(runner.run(lookalike, { signal: NEVER }), TypeError);
  });

  test(`X4 ${name}: an aborted signal rejects with its reason`, async (t) => {
    const { runner, repeater } = await make(t);
    const reason = new Error("no");

    await assert.rejects(runner.run(repeater, { signal: AbortSignal.abort(reason) }), reason);
  });
}
