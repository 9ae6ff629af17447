import { createProcessRunner } from "../../../src/adapters/child-process/process-runner.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { fixtureLaunch } from "../../kit/launches.ts";
import { processRunnerContract } from "../../ports/process-runner-contract.ts";

processRunnerContract("real children", async () => ({
  runner: createProcessRunner({ clock: createSystemClock() }),
  repeater: await fixtureLaunch("repeater.mjs"),
}));
