import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createHeadersHelperAuthenticator,
  type HeadersHelperOptions,
} from "../../src/composition/flows/headers-helper-authenticator.ts";
import { helperAllowedByApproval, permissionByApproval } from "../../src/composition/flows/helper-launch.ts";
import type { ActivationStatus, ApprovedLaunchFacts } from "../../src/domain/activation/approval.ts";
import type { DefinitionSource, ServerDefinition } from "../../src/domain/definition/definition.ts";
import { refuse } from "../../src/domain/outcome.ts";
import type { Authorization, Rejection } from "../../src/ports/authenticator.ts";
import { authRefusal } from "../kit/authenticators.ts";
import { FakeHelperRunner, printed, type HelperAnswer } from "../kit/fake-helper-runner.ts";
import { approvalOf, httpDefinition } from "../kit/http-carriers.ts";
import { file, folder, lookIn, type World } from "../kit/launch-world.ts";
import { stdioDefinition } from "../kit/stdio-definition.ts";

const NEVER = new AbortController().signal;
const HELPER = { command: "/usr/bin/headers", args: ["--for", "docs"] };
const ENVIRONMENT = new Map([["PATH", "/usr/bin"]]);

function world(): World {
  return new Map([
    ["/usr/bin/headers", file("/usr/bin/headers")],
    ["/usr/bin/link", file("/opt/real-headers")],
    ["/opt/real-headers", file("/opt/real-headers")],
    ["/usr/bin/sh", file("/usr/bin/sh")],
    ["/home/u", folder("/home/u")],
  ]);
}

interface Setup extends Partial<HeadersHelperOptions> {
  readonly source?: DefinitionSource;
  readonly helper?: typeof HELPER;
  readonly allowed?: Awaited<ReturnType<HeadersHelperOptions["permission"]>>["allowedHelpers"];
  readonly trusted?: boolean;
  readonly files?: World;
  readonly answer?: (run: number) => HelperAnswer | Promise<HelperAnswer>;
}

function setUp(setup: Setup = {}) {
  const { source = "user", helper = HELPER, allowed = [HELPER], trusted = false, files = world() } = setup;
  const runner = new FakeHelperRunner(setup.answer ?? ((run) => printed({ "X-Key": `key-${run}` })));
  const definition = httpDefinition({ headersHelper: helper, parts: { source } });
  const authenticator = createHeadersHelperAuthenticator({
    definition,
    permission: async () => ({ allowedHelpers: allowed, workspaceTrusted: trusted }),
    folder: "/home/u",
    environment: ENVIRONMENT,
    probe: { look: lookIn(files) },
    runner,
    ...setup,
  });
  return { authenticator, runner, definition };
}

function shown({ headers, generation }: Authorization): unknown {
  return { generation, headers: headers.map(([name, value]) => [name, value.reveal()]) };
}

function rejection(generation: string, more: Partial<Rejection> = {}): Rejection {
  return { status: 401, challenge: undefined, generation, ...more };
}

test("U4 the helper runs once a connection, with its exact arguments, the base environment and its bounds", async () => {
  const { authenticator, runner } = setUp();
  for (let request = 0; request < 3; request += 1) {
    const authorized = await authenticator.authorize({ signal: NEVER });
    assert.ok(authorized.ok);
    assert.deepEqual(shown(authorized.value), { generation: "helper-1", headers: [["x-key", "key-1"]] });
  }
  assert.equal(runner.runs.length, 1);
  const [run] = runner.runs;
  assert.ok(run);
  const { executable, argv0, args, cwd, environment } = run.launch;
  assert.deepEqual(
    { executable, argv0, args, cwd, environment: [...environment] },
    {
      executable: HELPER.command,
      argv0: HELPER.command,
      args: HELPER.args,
      cwd: "/home/u",
      environment: [...ENVIRONMENT],
    },
  );
  assert.equal(run.options.timeoutMs, 10_000);
  assert.equal(run.options.outputLimitBytes, 65_536);
});

test("U1 it belongs to its definition", () => {
  const { authenticator, definition } = setUp();
  assert.equal(authenticator.securityIdentity, definition.securityIdentity);
});

const NOT_ALLOWED: readonly (readonly [what: string, setup: Setup])[] = [
  ["an empty list", { allowed: [] }],
  ["other arguments on the list", { allowed: [{ ...HELPER, args: ["--for", "other"] }] }],
  ["fewer arguments on the list", { allowed: [{ ...HELPER, args: ["--for"] }] }],
  ["more arguments on the list", { allowed: [{ ...HELPER, args: [...HELPER.args, "x"] }] }],
  ["arguments in another order on the list", { allowed: [{ ...HELPER, args: ["docs", "--for"] }] }],
  ["another program on the list", { allowed: [{ ...HELPER, command: "/usr/bin/other" }] }],
  ["a command that is a link, where no real path is fixed", link({})],
  ["a command that leads elsewhere than approved", link({ executable: "/usr/bin/headers" })],
  ["a shell that nobody allowed", shell({})],
  ["a program that is no file", { files: world().set("/usr/bin/headers", folder("/usr/bin/headers")) }],
];

function link(entry: { readonly executable?: string }): Setup {
  const helper = { ...HELPER, command: "/usr/bin/link" };
  return { helper, allowed: [{ ...helper, ...entry }] };
}

function shell(entry: { readonly allowShell?: boolean }): Setup {
  const helper = { command: "/usr/bin/sh", args: ["-c", "echo {}"] };
  return { helper, allowed: [{ ...helper, ...entry }] };
}

for (const [what, setup] of NOT_ALLOWED) {
  test(`U4 with ${what} the helper is not started: helper-not-allowed`, async () => {
    const { authenticator, runner } = setUp(setup);
    assert.deepEqual(
      await authenticator.authorize({ signal: NEVER }),
      refuse(authRefusal("helper-not-allowed")),
    );
    assert.equal(runner.runs.length, 0);
  });
}

for (const [what, setup] of [
  ["a link whose real path is fixed", link({ executable: "/opt/real-headers" })],
  ["a shell that was allowed by name", shell({ allowShell: true })],
] as const) {
  test(`U4 ${what} is started`, async () => {
    const { authenticator, runner } = setUp(setup);
    assert.equal((await authenticator.authorize({ signal: NEVER })).ok, true);
    assert.equal(runner.runs.length, 1);
  });
}

for (const source of ["local", "project", "plugin"] as const) {
  test(`U4 a helper of a ${source} definition is started in a trusted workspace alone`, async () => {
    const untrusted = setUp({ source });
    assert.deepEqual(
      await untrusted.authenticator.authorize({ signal: NEVER }),
      refuse(authRefusal("helper-untrusted")),
    );
    assert.equal(untrusted.runner.runs.length, 0);
    const trusted = setUp({ source, trusted: true });
    assert.equal((await trusted.authenticator.authorize({ signal: NEVER })).ok, true);
  });
}

for (const source of ["managed", "user"] as const) {
  test(`U4 a helper of a ${source} definition needs no workspace`, async () => {
    assert.equal((await setUp({ source }).authenticator.authorize({ signal: NEVER })).ok, true);
  });
}

test("U4 what the host withdraws counts at the next run", async () => {
  let allowedHelpers = [HELPER];
  const { authenticator, runner } = setUp({
    permission: async () => ({ allowedHelpers, workspaceTrusted: false }),
  });
  assert.equal((await authenticator.authorize({ signal: NEVER })).ok, true);
  allowedHelpers = [];
  assert.deepEqual(
    await authenticator.onRejected(rejection("helper-1"), { signal: NEVER }),
    refuse(authRefusal("helper-not-allowed")),
  );
  assert.equal(runner.runs.length, 1);
});

for (const missing of ["/usr/bin/headers", "/home/u"]) {
  test(`U4 without ${missing} nothing is started: helper-failed`, async () => {
    const files = world();
    files.delete(missing);
    const { authenticator, runner } = setUp({ files });
    assert.deepEqual(await authenticator.authorize({ signal: NEVER }), refuse(authRefusal("helper-failed")));
    assert.equal(runner.runs.length, 0);
  });
}

for (const reason of ["helper-failed", "helper-timeout", "helper-output-too-large"] as const) {
  test(`U4 a run that ended with ${reason} says so, and the next request runs it again`, async () => {
    const { authenticator, runner } = setUp({
      answer: (run) => (run === 1 ? refuse(reason) : printed({ "x-key": "late" })),
    });
    assert.deepEqual(await authenticator.authorize({ signal: NEVER }), refuse(authRefusal(reason)));
    assert.equal((await authenticator.authorize({ signal: NEVER })).ok, true);
    assert.equal(runner.runs.length, 2);
  });
}

for (const [reason, output] of [
  ["helper-output-invalid", { "x-key": 1 }],
  ["helper-header-refused", { host: "evil.example" }],
] as const) {
  test(`U4 what a helper may not print is ${reason}`, async () => {
    const { authenticator } = setUp({ answer: () => printed(output) });
    assert.deepEqual(await authenticator.authorize({ signal: NEVER }), refuse(authRefusal(reason)));
  });
}

test("U4 simultaneous first requests share one run", async () => {
  const { authenticator, runner } = setUp();
  const all = await Promise.all(Array.from({ length: 8 }, () => authenticator.authorize({ signal: NEVER })));
  assert.equal(
    all.every(({ ok }) => ok),
    true,
  );
  assert.equal(runner.runs.length, 1);
});

test("U4 one fresh run answers any number of simultaneous refusals, and those that come late", async () => {
  const { authenticator, runner } = setUp();
  await authenticator.authorize({ signal: NEVER });
  const refused = rejection("helper-1");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => authenticator.onRejected(refused, { signal: NEVER })),
  );
  answers.push(await authenticator.onRejected(refused, { signal: NEVER }));
  assert.deepEqual(new Set(answers.map((answer) => answer.ok && answer.value)), new Set(["retry"]));
  assert.equal(runner.runs.length, 2);
  const authorized = await authenticator.authorize({ signal: NEVER });
  assert.deepEqual(authorized.ok && shown(authorized.value), {
    generation: "helper-2",
    headers: [["x-key", "key-2"]],
  });
});

test("U8 a scope that is missing is handed on, and the helper is not run again", async () => {
  const { authenticator, runner } = setUp();
  await authenticator.authorize({ signal: NEVER });
  const challenge = { resourceMetadata: undefined, scopes: ["write"], error: "insufficient_scope" } as const;
  assert.deepEqual(
    await authenticator.onRejected(rejection("helper-1", { status: 403, challenge }), { signal: NEVER }),
    refuse(authRefusal("step-up-required", { status: 403, scopes: ["write"] })),
  );
  assert.equal(runner.runs.length, 1);
});

test("U4 one that waits and aborts leaves with its reason; the run goes on for the others", async () => {
  const end = Promise.withResolvers<HelperAnswer>();
  const { authenticator, runner } = setUp({ answer: () => end.promise });
  const control = new AbortController();
  const leaving = authenticator.authorize({ signal: control.signal });
  const staying = authenticator.authorize({ signal: NEVER });
  const { signal } = await runner.started;
  control.abort("mine");
  await assert.rejects(leaving, (reason) => reason === "mine");
  assert.equal(signal.aborted, false);
  end.resolve(printed({ "x-key": "v" }));
  assert.equal((await staying).ok, true);
});

test("U4 a run that nobody waits for any more is told to end", async () => {
  const { authenticator, runner } = setUp({ answer: () => new Promise(() => undefined) });
  const control = new AbortController();
  const leaving = authenticator.authorize({ signal: control.signal });
  const { signal } = await runner.started;
  control.abort("mine");
  await assert.rejects(leaving, (reason) => reason === "mine");
  assert.equal(signal.aborted, true);
});

test("M2 the entry that an approval makes has the argument vector of the definition and the approved path", () => {
  const { definition } = setUp();
  assert.deepEqual(helperAllowedByApproval(definition, { executable: "/opt/real", allowShell: false }), {
    ...HELPER,
    executable: "/opt/real",
    allowShell: false,
  });
  assert.equal(helperAllowedByApproval(definition, undefined), undefined);
});

const LAUNCH = { executable: "/usr/bin/headers", cwd: "/home/u", envKeys: [], codeChangingEnvKeys: [] };

for (const [what, status, expected] of [
  ["is approved with its program", approvedWith({ ...LAUNCH, allowShell: false }), undefined],
  ["is approved without a program", approvedWith(undefined), "helper-not-allowed"],
  ["was revoked", { status: "revoked", authority: "user" }, "helper-not-allowed"],
  ["is pending", { status: "pending" }, "helper-not-allowed"],
  ["is in a workspace that is trusted no more", { status: "untrusted" }, "helper-untrusted"],
] as const) {
  test(`M2 by approvals alone a helper whose definition ${what} ${expected ? `is ${expected}` : "runs"}`, async () => {
    const definition = httpDefinition({ headersHelper: HELPER, parts: { source: "project" } });
    const permission = permissionByApproval(definition, async () => status);
    const { authenticator, runner } = setUp({ definition, permission });
    const authorized = await authenticator.authorize({ signal: NEVER });
    assert.deepEqual(authorized.ok ? undefined : authorized.refusal.reason, expected);
    assert.equal(runner.runs.length, expected === undefined ? 1 : 0);
  });
}

function approvedWith(launch: ApprovedLaunchFacts | undefined): ActivationStatus {
  const { record } = approvalOf(httpDefinition({ headersHelper: HELPER, parts: { source: "project" } }));
  return { status: "approved", record: launch === undefined ? record : { ...record, launch } };
}

test("U4 a permission that cannot be had allows nothing", async () => {
  const { authenticator, runner } = setUp({ permission: () => Promise.reject(new Error("s3cret")) });
  assert.deepEqual(
    await authenticator.authorize({ signal: NEVER }),
    refuse(authRefusal("helper-not-allowed")),
  );
  assert.equal(runner.runs.length, 0);
});

const WITHOUT: readonly ServerDefinition[] = [httpDefinition(), stdioDefinition({ command: "/bin/true" })];

for (const definition of WITHOUT) {
  test(`U4 an authenticator for a ${definition.transport} definition without a helper is a caller's bug`, () => {
    assert.throws(() => setUp({ definition }), { name: "TypeError", code: "no-headers-helper" });
  });
}
