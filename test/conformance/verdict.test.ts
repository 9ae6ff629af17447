import assert from "node:assert/strict";
import { test } from "node:test";

import { guessProblems, problemsOf } from "../../scripts/conformance-verdict.ts";
import { EXTENSIONS, LATER, REQUIRED, REVISIONS } from "../../scripts/conformance-scenarios.ts";
import type { ScenarioRun } from "../../scripts/conformance-suite.ts";

const SUCCESS = { id: "one", status: "SUCCESS", text: "it did" };
const DONE = { ending: "done", requests: ["POST /mcp"] };
const RUN: ScenarioRun = { exitCode: 0, checks: [SUCCESS], record: DONE };

test("a run passes when the suite, a check and our client all say so", () => {
  assert.deepEqual(problemsOf("tools_call", RUN), []);
});

for (const [what, changes] of [
  ["that checked nothing", { checks: [] }],
  ["of which only notes are left", { checks: [{ ...SUCCESS, status: "INFO" }] }],
  ["with a failed check", { checks: [SUCCESS, { ...SUCCESS, status: "FAILURE" }] }],
  ["with a warned check", { checks: [SUCCESS, { ...SUCCESS, status: "WARNING" }] }],
  ["of a suite that ended with 1", { exitCode: 1 }],
  ["that timed out", { exitCode: undefined }],
  ["whose client left no record", { record: undefined }],
  ["whose client crashed", { record: { ...DONE, ending: "crashed" } }],
  ["whose client was refused", { record: { ...DONE, ending: "auth/sign-in-required" } }],
] as const) {
  test(`a run ${what} has failed`, () => {
    assert.equal(problemsOf("tools_call", { ...RUN, ...changes }).length, 1);
  });
}

function endedWith(ending: string): readonly string[] {
  return problemsOf("auth/iss-wrong-issuer", { ...RUN, record: { ...DONE, ending } });
}

test("where a refusal is the right end, an end without one has failed, and so has another refusal", () => {
  assert.deepEqual(endedWith("auth/issuer-mismatch"), []);
  assert.equal(endedWith("done").length, 1);
  assert.equal(endedWith("auth/unreachable").length, 1);
});

test("a guess is refused when nothing was asked at a guessed place, and the reason is the missing metadata", () => {
  const scenario = "auth/2025-03-26-oauth-endpoint-fallback";
  const record = {
    ending: "auth/resource-metadata-missing",
    requests: ["POST /mcp", "GET /.well-known/oauth-protected-resource/mcp"],
  };
  const run: ScenarioRun = { exitCode: 1, checks: [{ ...SUCCESS, status: "FAILURE" }], record };

  assert.deepEqual(guessProblems(scenario, run), []);
  for (const requests of [["GET /authorize"], ["GET /.well-known/oauth-authorization-server"]]) {
    assert.equal(guessProblems(scenario, { ...run, record: { ...record, requests } }).length, 1);
  }
  assert.equal(guessProblems(scenario, { ...run, checks: [SUCCESS] }).length, 1);
  assert.equal(guessProblems(scenario, { ...run, record: { ...record, ending: "done" } }).length, 1);
  assert.equal(guessProblems(scenario, { ...run, record: undefined }).length, 1);
});

test("every required scenario is named once, and what is left for later is required and no sign-in", () => {
  for (const revision of REVISIONS) {
    assert.equal(new Set(REQUIRED[revision]).size, { "2025-11-25": 18, "2026-07-28": 32 }[revision]);
  }
  const required = new Set(REVISIONS.flatMap((revision) => REQUIRED[revision]));
  for (const name of Object.keys(LATER)) {
    assert.ok(required.has(name), name);
    assert.ok(!name.startsWith("auth/"), name);
  }
  assert.deepEqual(EXTENSIONS, ["auth/client-credentials-basic", "auth/client-credentials-jwt"]);
});
