import { processRunnerContract } from "./process-runner-contract.ts";
import { type FakeChild, fakeProcessRunner } from "../kit/fake-process-runner.ts";
import { imaginedLaunch } from "../kit/launches.ts";

function repeat(child: FakeChild): void {
  child.onStdin((bytes) => {
    for (const line of Buffer.from(bytes).toString().split("\n").slice(0, -1)) {
      const code = /^exit (\d+)$/.exec(line)?.[1];
      if (code === undefined) child.print(`${line}\n`);
      else child.exit({ code: Number(code) });
    }
  });
}

processRunnerContract("the fake", async () => ({
  runner: fakeProcessRunner(repeat),
  repeater: await imaginedLaunch(),
}));
