/**
 * The program that the official conformance suite runs: a small host on Sallyport's public interface. Run it
 * with `npm run conformance`, not by hand.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readCommandInput } from "./command-input.ts";
import { createConformanceHost } from "./host.ts";
import { endingOf, leaveRecord, RECORD_VARIABLE } from "./run-record.ts";
import { scenarioOf } from "./scenarios.ts";

const input = readCommandInput(process.argv, process.env);
const folder = await mkdtemp(join(tmpdir(), "sallyport-conformance-"));
const requests: string[] = [];
const host = createConformanceHost(input, { folder, requests });
let ending = "done";
try {
  await scenarioOf(input.scenario)(host, input);
} catch (error) {
  ending = endingOf(error);
  process.stderr.write(`${error instanceof Error ? error.message : ending}\n`);
  process.exitCode = 1;
} finally {
  await host.close();
  await rm(folder, { recursive: true, force: true });
}
await leaveRecord(process.env[RECORD_VARIABLE], { ending, requests });
