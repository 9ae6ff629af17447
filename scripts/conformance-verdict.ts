import { BEFORE_A_GUESS, endingOf } from "./conformance-scenarios.ts";
import type { ScenarioRun } from "./conformance-suite.ts";

/**
 * Says what is wrong with a run; nothing: it passed. The suite alone passes a scenario that checked nothing, so
 * this asks three witnesses: its exit code, its checks, and how our client says that it ended.
 */
export function problemsOf(scenario: string, { exitCode, checks, record }: ScenarioRun): readonly string[] {
  const problems = checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, status, text }) => `${status.toLowerCase()} ${id}: ${text}`);
  if (!checks.some(({ status }) => status === "SUCCESS")) problems.push("nothing was checked");
  if (exitCode !== 0) problems.push(`the suite ended with ${exitCode ?? "a signal"}`);
  return [...problems, ...endingProblems(scenario, record)];
}

/** A guess has to be refused for the right reason, before anything was asked at a guessed place. */
export function guessProblems(scenario: string, { checks, record }: ScenarioRun): readonly string[] {
  const problems = checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => `the suite saw ${id}`);
  const guessed = (record?.requests ?? []).filter((request) => !BEFORE_A_GUESS.has(request));
  return [
    ...problems,
    ...guessed.map((request) => `guessed: ${request}`),
    ...endingProblems(scenario, record),
  ];
}

function endingProblems(scenario: string, record: ScenarioRun["record"]): readonly string[] {
  const expected = endingOf(scenario);
  if (record === undefined) return ["our client did not come to its end"];
  return record.ending === expected ? [] : [`our client ended with ${record.ending}, not ${expected}`];
}
