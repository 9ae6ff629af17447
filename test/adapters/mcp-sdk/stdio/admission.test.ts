import assert from "node:assert/strict";
import test from "node:test";

import {
  type StdioAdapterOptions,
  type StdioAdmission,
  createStdioAdapter,
} from "../../../../src/adapters/mcp-sdk/stdio-adapter.ts";
import type { ActivationStatus } from "../../../../src/domain/activation/approval.ts";
import type { MaterialisedText } from "../../../../src/domain/definition/definition.ts";
import { stdioRefusal } from "../../../../src/domain/launch/refusal.ts";
import { fakeChildCarrier } from "../../../kit/fake-child-carrier.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import { fakeProcessRunner } from "../../../kit/fake-process-runner.ts";
import { file, lookIn, smallWorld } from "../../../kit/launch-world.ts";
import {
  approvedStatus,
  fakeAuthority,
  plain,
  stdioDefinition,
  subjectFor,
} from "../../../kit/stdio-definition.ts";
import { failureOf } from "../../../kit/stdio-talk.ts";

/** A map whose values may not be read until it says so. */
class WatchedMap extends Map<string, MaterialisedText> {
  reads = 0;

  override get(key: string): MaterialisedText | undefined {
    this.reads += 1;
    return super.get(key);
  }

  override entries(): MapIterator<[string, MaterialisedText]> {
    this.reads += 1;
    return super.entries();
  }

  override values(): MapIterator<MaterialisedText> {
    this.reads += 1;
    return super.values();
  }

  override forEach(
    visit: (value: MaterialisedText, key: string, map: Map<string, MaterialisedText>) => void,
  ): void {
    this.reads += 1;
    super.forEach(visit);
  }

  override [Symbol.iterator](): MapIterator<[string, MaterialisedText]> {
    this.reads += 1;
    return super[Symbol.iterator]();
  }
}

function adapterOptions(): StdioAdapterOptions & { readonly looked: string[] } {
  const looked: string[] = [];
  return {
    authority: fakeAuthority({ root: "/work", executable: "/usr/bin/server" }),
    runner: fakeProcessRunner(),
    probe: { look: lookIn(smallWorld(), looked) },
    clock: new FakeClock(),
    looked,
  };
}

test("X1 the authority is asked with the keys of the environment before any value is read", async () => {
  const env = new WatchedMap([["API_URL", plain("https://a.example")]]);
  const options = adapterOptions();
  let readsWhenAsked: number | undefined;
  const authority = {
    ...options.authority,
    decide: (request: Parameters<typeof options.authority.decide>[0]) => {
      readsWhenAsked = env.reads;
      assert.deepEqual(request, {
        serverId: "files",
        fingerprint: "f".repeat(64),
        command: "server",
        args: ["--stdio"],
        cwd: "sub",
        envKeys: ["API_URL"],
      });
      return options.authority.decide(request);
    },
  };
  const definition = stdioDefinition({ command: "server", args: ["--stdio"], cwd: "sub", env });
  const subject = subjectFor(definition);

  const outcome = await createStdioAdapter({ ...options, authority }).admit(definition, {
    subject,
    status: approvedStatus(subject),
  });

  assert.equal(readsWhenAsked, 0);
  assert.equal(outcome.ok, true);
  assert.ok(env.reads > 0);
});

test("X1 what the authority refuses is passed on, no value was read and no file was looked at", async () => {
  const env = new WatchedMap([["A", plain("b")]]);
  const options = adapterOptions();
  const refusal = stdioRefusal("authority", "not-listed");
  const definition = stdioDefinition({ command: "server", env });
  const subject = subjectFor(definition);

  const outcome = await createStdioAdapter({
    ...options,
    authority: { ...options.authority, decide: async () => ({ ok: false, refusal }) },
  }).admit(definition, { subject, status: approvedStatus(subject) });

  assert.deepEqual(outcome, { ok: false, refusal });
  assert.equal(env.reads, 0);
  assert.deepEqual(options.looked, []);
});

for (const status of ["pending", "untrusted"] as const) {
  test(`X2 a definition that is ${status} is refused before the authority is asked`, async () => {
    const options = adapterOptions();
    const authority = fakeAuthority({ root: "/work", executable: "/usr/bin/server" });
    const definition = stdioDefinition({ command: "server" });

    const outcome = await createStdioAdapter({ ...options, authority }).admit(definition, {
      subject: subjectFor(definition),
      status: { status },
    });

    assert.deepEqual(outcome, { ok: false, refusal: stdioRefusal("activation", status) });
    assert.deepEqual(authority.requests, []);
  });
}

test("D8 a definition with an unset variable is refused before the authority is asked", async () => {
  const options = adapterOptions();
  const authority = fakeAuthority({ root: "/work", executable: "/usr/bin/server" });
  const definition = stdioDefinition({
    command: "server",
    args: ["${TOKEN}"],
    parts: { unsetVariables: [{ variable: "TOKEN", path: "args[0]" }] },
  });
  const subject = subjectFor(definition);

  const outcome = await createStdioAdapter({ ...options, authority }).admit(definition, {
    subject,
    status: approvedStatus(subject),
  });

  assert.deepEqual(outcome, { ok: false, refusal: stdioRefusal("invalid-input", "unset-variable") });
  assert.deepEqual(authority.requests, []);
});

test("X2 a definition of another transport is refused as invalid-input", async () => {
  const definition = stdioDefinition({ command: "server", parts: { transport: "http" } });
  const subject = subjectFor(definition);

  const outcome = await createStdioAdapter(adapterOptions()).admit(definition, {
    subject,
    status: approvedStatus(subject),
  });

  assert.deepEqual(outcome, { ok: false, refusal: stdioRefusal("invalid-input", "not-stdio") });
});

test("X1 an admission that another adapter made, or nobody, makes no carrier", async () => {
  const definition = stdioDefinition({ command: "server" });
  const subject = subjectFor(definition);
  const made = await createStdioAdapter(adapterOptions()).admit(definition, {
    subject,
    status: approvedStatus(subject),
  });
  assert.ok(made.ok);
  const other = createStdioAdapter(adapterOptions());

  assert.throws(() => other.construct(made.value), TypeError);
  // `as`: a forged proof is what the brand keeps a caller from writing.
  assert.throws(() => other.construct({ serverId: "files" } as StdioAdmission), TypeError);
});

test("X3 admitting starts nothing, starting starts once, and twice is a caller's bug", async () => {
  const { carrier, runner } = await fakeChildCarrier();
  assert.equal(runner.launches.length, 0);

  await carrier.start();

  assert.equal(runner.launches.length, 1);
  await assert.rejects(carrier.start(), TypeError);
  assert.equal(runner.launches.length, 1);
});

const CHANGES: readonly {
  readonly fact: string;
  readonly refusal: ReturnType<typeof stdioRefusal>;
  readonly change: (fake: Awaited<ReturnType<typeof fakeChildCarrier>>) => void;
}[] = [
  {
    fact: "the authority's generation changed",
    refusal: stdioRefusal("authority", "generation-changed"),
    change: ({ authority }) => {
      authority.currentGeneration = "2";
    },
  },
  {
    fact: "the executable was replaced",
    refusal: stdioRefusal("authority", "executable-changed"),
    change: ({ world }) => world.set("/usr/bin/server", file("/usr/bin/server", { identity: "another" })),
  },
  {
    fact: "the working directory is gone",
    refusal: stdioRefusal("cwd", "cwd-changed"),
    change: ({ world }) => world.delete("/work"),
  },
];

for (const { fact, refusal, change } of CHANGES) {
  test(`X3 nothing is started when ${fact} between admission and start`, async () => {
    const fake = await fakeChildCarrier();
    change(fake);

    assert.deepEqual(await failureOf(fake.carrier.start()), { refusal });

    assert.deepEqual(fake.carrier.closeFailure, { refusal });
    assert.equal(fake.runner.launches.length, 0);
  });
}

test("X3 nothing is started when the approval was revoked between admission and start", async () => {
  const revoked: ActivationStatus = { status: "revoked", authority: "user" };
  const { carrier, runner } = await fakeChildCarrier({ recheck: () => revoked });

  assert.deepEqual(await failureOf(carrier.start()), { refusal: stdioRefusal("activation", "revoked") });

  assert.equal(runner.launches.length, 0);
});

test("X3 nothing is started when the recheck itself fails, and its words stay with the host", async () => {
  const fault = new Error("private words");
  const { carrier, runner } = await fakeChildCarrier({
    recheck: () => {
      throw fault;
    },
  });
  const errors: unknown[] = [];
  Object.assign(carrier, { onerror: (error: unknown) => errors.push(error) });

  assert.deepEqual(await failureOf(carrier.start()), { refusal: stdioRefusal("start", "other-fault") });

  assert.deepEqual(errors, [fault]);
  assert.equal(runner.launches.length, 0);
});

test("X6 a carrier that was closed before its start starts nothing", async () => {
  const { carrier, runner } = await fakeChildCarrier();
  await carrier.close();

  assert.deepEqual(await failureOf(carrier.start()), { refusal: stdioRefusal("cancelled", "by-close") });

  assert.equal(runner.launches.length, 0);
});

test("X6 a carrier that is closed while it starts leaves no child", async () => {
  const { carrier, runner } = await fakeChildCarrier();
  const starting = failureOf(carrier.start());

  await carrier.close();

  assert.deepEqual(await starting, { refusal: stdioRefusal("cancelled", "by-close") });
  assert.equal(runner.launches.length, 0);
});

test("X6 a carrier that is closed in the very spawn stops the child before close resolves", async () => {
  const { carrier, child, runner } = await fakeChildCarrier({
    program: () => void (closing = carrierOf().close()),
  });
  const carrierOf = (): typeof carrier => carrier;
  let closing: Promise<void> | undefined;

  const failure = await failureOf(carrier.start());
  await closing;

  assert.deepEqual(failure, { refusal: stdioRefusal("cancelled", "by-close") });
  assert.equal(runner.launches.length, 1);
  assert.equal(child().stops, 1);
});

test("X4 the child gets the authority's environment and the definition's values, and nothing else", async () => {
  const { carrier, runner, authority } = await fakeChildCarrier({ env: new Map([["A", plain("b")]]) });

  await carrier.start();

  assert.deepEqual(runner.launches[0]?.environment, new Map([["A", "b"]]));
  assert.deepEqual(authority.requests[0]?.envKeys, ["A"]);
});
