import assert from "node:assert/strict";
import { test } from "node:test";

import { createApprovedAuthority } from "../../src/composition/flows/approved-authority.ts";
import type { ActivationStatus, ApprovedLaunchFacts } from "../../src/domain/activation/approval.ts";
import type { ExecutableFinder } from "../../src/ports/executable-finder.ts";
import { makeRecord } from "../kit/activation.ts";
import { approvalWorld, finderOf } from "../kit/approval-world.ts";
import { folder, launchRequest, lookIn, type World } from "../kit/launch-world.ts";

const FINGERPRINT = "f".repeat(64);
const LAUNCH: ApprovedLaunchFacts = {
  executable: "/usr/lib/server-1.2",
  cwd: "/work",
  envKeys: ["A", "NODE_OPTIONS"],
  codeChangingEnvKeys: ["NODE_OPTIONS"],
  allowShell: false,
};

function approved(launch: ApprovedLaunchFacts | undefined = LAUNCH): ActivationStatus {
  return { status: "approved", record: { ...makeRecord(), ...(launch && { launch }) } };
}

function authorityOf(
  parts: {
    readonly status?: () => ActivationStatus;
    readonly world?: World;
    readonly finder?: ExecutableFinder;
    readonly folder?: { readonly root: string; readonly cwd: string } | undefined;
  } = {},
) {
  const { status = () => approved(), world = approvalWorld(), finder = finderOf() } = parts;
  return createApprovedAuthority("files", FINGERPRINT, {
    currentStatus: async () => status(),
    folder: "folder" in parts ? parts.folder : { root: "/work", cwd: "/work" },
    finder,
    probe: { look: lookIn(world) },
    environment: new Map([["PATH", "/usr/bin"]]),
  });
}

test("M2 an approval grants exactly what the approver saw", async () => {
  const decided = await authorityOf().decide(launchRequest());

  assert.deepEqual(decided, {
    ok: true,
    value: {
      root: "/work",
      executable: "/usr/lib/server-1.2",
      argv0: "/usr/bin/server",
      argumentVectors: [["--stdio"]],
      environment: new Map([["PATH", "/usr/bin"]]),
      allowedEnvKeys: ["A", "NODE_OPTIONS"],
      allowedCodeChangingKeys: ["NODE_OPTIONS"],
      allowShell: false,
      generation: "user/1800000000000",
    },
  });
});

const DENIED: readonly (readonly [string, string, Parameters<typeof authorityOf>[0], object])[] = [
  ["another server's request", "not-approved", {}, { serverId: "other" }],
  ["another definition's request", "not-approved", {}, { fingerprint: "0".repeat(64) }],
  ["a request without approval", "not-approved", { status: () => ({ status: "pending" }) }, {}],
  ["a command that is gone", "executable-missing", {}, { command: "gone" }],
  [
    "a command that leads to another file than the approved one",
    "executable-changed",
    { finder: finderOf({ server: "/usr/lib/server-1.3" }) },
    {},
  ],
  [
    "a folder that leads to another place than the approved one",
    "cwd-changed",
    { world: new Map([...approvalWorld(), ["/work", folder("/elsewhere")]]) },
    {},
  ],
  ["a server of a workspace that is not at hand", "no-launch-facts", { folder: undefined }, {}],
];

for (const [what, detail, parts, request] of DENIED) {
  test(`M2 ${what} is denied as ${detail}`, async () => {
    const decided = await authorityOf(parts).decide(launchRequest(request));

    assert.deepEqual(decided, { ok: false, refusal: { kind: "stdio", reason: "authority", detail } });
  });
}

test("M2 an approval without launch facts, as a record of an HTTP server has none, starts nothing", async () => {
  const { launch: _, ...record } = { ...makeRecord(), launch: LAUNCH };

  const decided = await authorityOf({ status: () => ({ status: "approved", record }) }).decide(
    launchRequest(),
  );

  assert.deepEqual(decided, {
    ok: false,
    refusal: { kind: "stdio", reason: "authority", detail: "no-launch-facts" },
  });
});

test("X3 the generation changes when the approval is withdrawn or given again", async () => {
  let status = approved();
  const authority = authorityOf({ status: () => status });
  const first = await authority.generation();

  status = { status: "revoked", authority: "user" };
  const withdrawn = await authority.generation();
  status = { status: "approved", record: makeRecord({ decidedAtMs: 5 }) };
  const again = await authority.generation();

  assert.equal(new Set([first, withdrawn, again]).size, 3);
});
