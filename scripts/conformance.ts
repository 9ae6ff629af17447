/**
 * Runs the official conformance suite against `test/conformance/client.ts`: `npm run conformance [-- NAME …]`.
 * Every required client scenario of both revisions, each alone and with its own time limit, the client
 * credentials extensions, and the two fallbacks that have to be refused. With names: only scenarios whose name
 * contains one of them. Ends with `N passed, N failed, N skipped`; exit code 1 when anything failed.
 */
import {
  EXTENSIONS,
  GUESSES,
  LATER,
  REQUIRED,
  REVISIONS,
  SKILLS,
  type Revision,
} from "./conformance-scenarios.ts";
import { listRequired, runScenario } from "./conformance-suite.ts";
import { guessProblems, problemsOf } from "./conformance-verdict.ts";

const wanted = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function isWanted(scenario: string): boolean {
  return wanted.length === 0 || wanted.some((part) => scenario.includes(part));
}

function report(word: keyof typeof counts, label: string, details: readonly string[] = []): void {
  counts[word] += 1;
  print(`${word.padEnd(7)} ${label}`);
  for (const detail of details) print(`        ${detail}`);
}

async function judge(scenario: string, revision: Revision): Promise<void> {
  const label = `${revision} ${scenario}`;
  const problems = problemsOf(scenario, await runScenario(scenario, revision));
  const later = LATER[scenario];
  if (later === undefined) report(problems.length === 0 ? "passed" : "failed", label, problems);
  else if (problems.length > 0) report("skipped", label, [`${later} It fails in ${problems.length} points.`]);
  else report("failed", label, ["passes: take it out of the list of what is not done yet"]);
}

async function judgeGuess(scenario: string): Promise<void> {
  const problems = guessProblems(scenario, await runScenario(scenario));
  report(problems.length === 0 ? "passed" : "failed", `refused    ${scenario}`, problems);
}

/** What the suite requires and what is run here are the same, name by name. */
async function compareLists(revision: Revision): Promise<void> {
  const theirs = await listRequired(revision);
  const ours = REQUIRED[revision];
  const missing = theirs.filter((name) => !ours.includes(name));
  const gone = ours.filter((name) => !theirs.includes(name));
  if (missing.length + gone.length === 0 && theirs.length > 0) return;
  report("failed", `${revision} the list`, [
    `not run: ${missing.join(" ")}`,
    `not required: ${gone.join(" ")}`,
  ]);
}

for (const revision of REVISIONS) {
  await compareLists(revision);
  const extensions = [...EXTENSIONS, ...(revision === "2026-07-28" ? SKILLS : [])];
  for (const scenario of [...REQUIRED[revision], ...extensions].filter(isWanted)) {
    await judge(scenario, revision);
  }
}
for (const scenario of GUESSES.filter(isWanted)) await judgeGuess(scenario);

print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
