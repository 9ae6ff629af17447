import assert from "node:assert/strict";
import test from "node:test";

import { createStdioAdapter } from "../../../../src/adapters/mcp-sdk/stdio-adapter.ts";
import { type StdioReason, type StdioRefusal, stdioRefusal } from "../../../../src/domain/launch/refusal.ts";
import { type FakeChildCarrier, fakeChildCarrier } from "../../../kit/fake-child-carrier.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import { fakeProcessRunner } from "../../../kit/fake-process-runner.ts";
import { lookIn, smallWorld } from "../../../kit/launch-world.ts";
import {
  type StdioDefinitionOptions,
  approvedStatus,
  fakeAuthority,
  plain,
  stdioDefinition,
  subjectFor,
} from "../../../kit/stdio-definition.ts";
import { failureOf, talkOver } from "../../../kit/stdio-talk.ts";

/** What admission says about a definition that is wrong in one place. */
async function admission(
  options: Partial<StdioDefinitionOptions>,
  status?: "pending",
): Promise<StdioRefusal> {
  const definition = stdioDefinition({ command: "server", ...options });
  const runner = fakeProcessRunner();
  const adapter = createStdioAdapter({
    authority: fakeAuthority({
      root: "/work",
      executable: "/usr/bin/server",
      argumentVectors: [[]],
      allowedEnvKeys: [],
    }),
    runner,
    probe: { look: lookIn(smallWorld()) },
    clock: new FakeClock(),
  });
  const subject = subjectFor(stdioDefinition({ command: "server" }));
  const outcome = await adapter.admit(definition, {
    subject,
    status: status === undefined ? approvedStatus(subject) : { status },
  });
  assert.ok(!outcome.ok);
  assert.equal(runner.launches.length, 0);
  return outcome.refusal;
}

/** What ends a running connection, or refuses one of its sends. */
async function running(act: (fake: FakeChildCarrier) => void | Promise<void>): Promise<StdioRefusal> {
  const fake = await fakeChildCarrier();
  const talk = talkOver(fake.carrier);
  await fake.carrier.start();
  const asked = failureOf(talk.ask("m"));
  await act(fake);
  const { refusal } = fake.carrier.closeFailure ?? (await asked);
  assert.ok(refusal.kind === "stdio");
  await fake.carrier.close();
  await asked;
  return refusal;
}

const PRODUCERS: Readonly<Record<StdioReason, () => Promise<StdioRefusal>>> = {
  "definition-identity": () => admission({ parts: { fingerprint: "0".repeat(64) } }),
  activation: () => admission({}, "pending"),
  authority: () => admission({ args: ["--other"] }),
  cwd: () => admission({ cwd: "/elsewhere" }),
  environment: () => admission({ env: new Map([["A", plain("b")]]) }),
  "invalid-input": () => admission({ parts: { unsetVariables: [{ variable: "A", path: "args[0]" }] } }),
  start: async () => {
    const { carrier, runner } = await fakeChildCarrier();
    runner.refusal = stdioRefusal("start", "not-found");
    const { refusal } = await failureOf(carrier.start());
    assert.ok(refusal.kind === "stdio");
    return refusal;
  },
  "early-exit": () =>
    running(async ({ child, carrier }) => {
      child().exit();
      while (carrier.closeFailure === undefined) await new Promise((resolve) => setImmediate(resolve));
    }),
  send: async () => {
    const { carrier } = await fakeChildCarrier();
    const { refusal } = await failureOf(carrier.send({ jsonrpc: "2.0", method: "n" }));
    assert.ok(refusal.kind === "stdio");
    return refusal;
  },
  cancelled: () =>
    running(({ carrier }) =>
      carrier.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }),
    ),
  cleanup: () =>
    running(async ({ carrier, child }) => {
      child().clean = false;
      await carrier.close();
    }),
  "receive-limit": () => running(({ child }) => child().print("x".repeat(8 * 1_024 * 1_024 + 1))),
  "receive-invalid": () => running(({ child }) => child().print("junk\n".repeat(101))),
};

for (const [reason, produce] of Object.entries(PRODUCERS)) {
  test(`X7 ${reason} is produced`, async () => {
    const refusal = await produce();

    assert.equal(refusal.reason, reason);
    assert.notEqual(refusal.detail, undefined);
  });
}
