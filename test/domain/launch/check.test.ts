import assert from "node:assert/strict";
import test from "node:test";
import { inspect } from "node:util";

import type { MaterialisedText } from "../../../src/domain/definition/definition.ts";
import { type ApprovedLaunch, isApprovedLaunch } from "../../../src/domain/launch/approved-launch.ts";
import { checkLaunch, recheckLaunch } from "../../../src/domain/launch/check.ts";
import type { LaunchGrant, LaunchRequest } from "../../../src/domain/launch/launch-grant.ts";
import {
  type World,
  file,
  folder,
  launchGrant,
  launchRequest,
  lookIn,
  smallWorld,
} from "../../kit/launch-world.ts";
import { plain } from "../../kit/stdio-definition.ts";

const CANARY = "canary-5f1c-value";

interface Question {
  readonly request?: Partial<LaunchRequest>;
  readonly grant?: Partial<LaunchGrant>;
  readonly world?: World;
  readonly values?: () => ReadonlyMap<string, MaterialisedText>;
}

function check(question: Question): ReturnType<typeof checkLaunch> {
  return checkLaunch({
    request: launchRequest(question.request),
    grant: launchGrant(question.grant),
    look: lookIn(question.world ?? smallWorld()),
    values: question.values ?? (() => new Map()),
  });
}

async function approved(question: Question = {}): Promise<ApprovedLaunch> {
  const outcome = await check(question);
  assert.ok(outcome.ok);
  return outcome.value;
}

test("X2 what is approved is the authority's file, the request's arguments and the canonical folder", async () => {
  const launch = await approved({
    request: { cwd: "sub", envKeys: ["A"] },
    grant: { argv0: "/opt/server", allowedEnvKeys: ["A"], environment: new Map([["LANG", "C"]]) },
    values: () => new Map([["A", plain("b")]]),
  });

  assert.deepEqual(
    {
      executable: launch.executable,
      argv0: launch.argv0,
      args: launch.args,
      cwd: launch.cwd,
      environment: launch.environment,
    },
    {
      executable: "/usr/bin/server",
      argv0: "/opt/server",
      args: ["--stdio"],
      cwd: "/work/sub",
      environment: new Map([
        ["LANG", "C"],
        ["A", "b"],
      ]),
    },
  );
});

/** Everything wrong at once: mending one thing after the other shows the order of the checks. */
test("X2 the checks come in the order command line, working directory, environment keys, values", async () => {
  const reasons: string[] = [];
  const question = {
    request: { args: ["other"], cwd: "../up", envKeys: ["A"] },
    grant: { allowedEnvKeys: [] as string[] },
    values: () => new Map([["A", plain("a\0b")]]),
  };
  for (const mend of [
    () => undefined,
    () => (question.request.args = ["--stdio"]),
    () => (question.request.cwd = "sub"),
    () => (question.grant.allowedEnvKeys = ["A"]),
  ]) {
    mend();
    const outcome = await check(question);
    assert.ok(!outcome.ok);
    reasons.push(`${outcome.refusal.reason}/${outcome.refusal.detail}`);
  }

  assert.deepEqual(reasons, [
    "authority/arguments-not-listed",
    "cwd/parent-segment",
    "environment/not-allowed",
    "environment/nul",
  ]);
});

const REFUSED_BEFORE_VALUES: readonly { fact: string; question: Question }[] = [
  { fact: "the arguments are not listed", question: { request: { args: ["x"] } } },
  { fact: "the working directory is refused", question: { request: { cwd: "/elsewhere" } } },
  { fact: "a key is not allowed", question: { request: { envKeys: ["B"] } } },
];

for (const { fact, question } of REFUSED_BEFORE_VALUES) {
  test(`X1 no environment value is read when ${fact}`, async () => {
    const outcome = await check({ ...question, values: () => assert.fail("a value was read") });

    assert.equal(outcome.ok, false);
  });
}

test("D17 printing or serialising an approved launch shows neither arguments nor environment", async () => {
  const launch = await approved({
    request: { args: [CANARY], envKeys: ["A"] },
    grant: { argumentVectors: [[CANARY]], allowedEnvKeys: ["A"] },
    values: () => new Map([["A", plain(CANARY)]]),
  });

  const shown = [
    JSON.stringify({ launch }),
    String(launch),
    inspect(launch, { showHidden: true, depth: 9, getters: true }),
    JSON.stringify(Object.assign({}, launch)),
  ];

  assert.deepEqual(
    shown.filter((text) => text.includes(CANARY)),
    [],
  );
});

test("X2 only the check itself makes an approved launch", async () => {
  const launch = await approved();
  const lookalike = { executable: launch.executable, args: launch.args, cwd: launch.cwd };

  assert.deepEqual(
    [launch, lookalike, Object.create(launch), null].map((value: unknown) => isApprovedLaunch(value)),
    [true, false, false, false],
  );
});

const CHANGES: readonly { fact: string; change: (world: World) => void; reason: string }[] = [
  {
    fact: "another file at the executable's path",
    change: (world) => world.set("/usr/bin/server", file("/usr/bin/server", { identity: "another" })),
    reason: "authority/executable-changed",
  },
  {
    fact: "a symbolic link at the executable's path",
    change: (world) => world.set("/usr/bin/server", file("/elsewhere/evil")),
    reason: "authority/executable-changed",
  },
  {
    fact: "an executable that is gone",
    change: (world) => world.delete("/usr/bin/server"),
    reason: "authority/executable-changed",
  },
  {
    fact: "an executable that may not be executed any more",
    change: (world) => world.set("/usr/bin/server", file("/usr/bin/server", { executable: false })),
    reason: "authority/executable-changed",
  },
  {
    fact: "another folder at the working directory's path",
    change: (world) => world.set("/work", folder("/work", { identity: "another" })),
    reason: "cwd/cwd-changed",
  },
  {
    fact: "a working directory that became a link out of the root",
    change: (world) => world.set("/work", folder("/elsewhere")),
    reason: "cwd/cwd-changed",
  },
  {
    fact: "a working directory that is gone",
    change: (world) => world.delete("/work"),
    reason: "cwd/cwd-changed",
  },
];

for (const { fact, change, reason } of CHANGES) {
  test(`X3 ${fact} since admission is refused as ${reason}`, async () => {
    const world = smallWorld();
    const launch = await approved({ world });
    change(world);

    const outcome = await recheckLaunch(launch, lookIn(world));

    assert.ok(!outcome.ok);
    assert.equal(`${outcome.refusal.reason}/${outcome.refusal.detail}`, reason);
  });
}

test("X3 nothing changed since admission passes the recheck", async () => {
  const world = smallWorld();

  assert.deepEqual(await recheckLaunch(await approved({ world }), lookIn(world)), { ok: true, value: true });
});
