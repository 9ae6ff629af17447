import assert from "node:assert/strict";
import { test } from "node:test";

import { type ApprovalRequest, decideApproval } from "../../../src/domain/activation/decide.ts";
import { TRUSTED, UNTRUSTED, makeSubject } from "../../kit/activation.ts";

const LAUNCH = {
  executable: "/usr/bin/true",
  cwd: "/work",
  envKeys: ["B", "A"],
  codeChangingEnvKeys: ["NODE_OPTIONS", "LD_PRELOAD"],
  allowShell: true,
};

function request(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    subject: makeSubject(),
    authority: "user",
    decision: "approved",
    covered: [{ path: "command", digest: "0123456789abcdef", shown: "true" }],
    workspace: TRUSTED,
    nowMs: 1_800_000_000_000,
    ...changes,
  };
}

for (const authority of ["managed", "user", "local"] as const) {
  test(`A4 ${authority} authority approves in a trusted workspace`, () => {
    const { subject, covered, nowMs } = request();

    assert.deepEqual(decideApproval(request({ authority })), {
      ok: true,
      value: { decision: "approved", authority, subject, covered, decidedAtMs: nowMs },
    });
  });
}

for (const authority of ["project", "plugin", "anybody"] as const) {
  test(`A4 ${authority} authority throws, whatever it decides`, () => {
    for (const decision of ["approved", "rejected", "revoked"] as const) {
      // A host in plain JavaScript can pass any word.
      const forged = { ...request({ decision }), authority } as ApprovalRequest;

      assert.throws(() => decideApproval(forged), { name: "TypeError", code: "authority-cannot-decide" });
    }
  });
}

for (const source of ["local", "project", "plugin"] as const) {
  test(`A4 approving a ${source} server inside an untrusted workspace makes no record`, () => {
    assert.deepEqual(
      decideApproval(request({ subject: makeSubject({ source }, UNTRUSTED), workspace: UNTRUSTED })),
      { ok: false, refusal: { kind: "activation-decision", reason: "untrusted", serverId: "helper" } },
    );
  });

  test(`A4 approving a ${source} server outside any workspace makes no record`, () => {
    const { workspace: _, ...outside } = request({ subject: makeSubject({ source }) });

    assert.deepEqual(decideApproval(outside), {
      ok: false,
      refusal: { kind: "activation-decision", reason: "untrusted", serverId: "helper" },
    });
  });
}

for (const source of ["managed", "user"] as const) {
  test(`A4 a ${source} server is approved in an untrusted workspace, since it is not bound to it`, () => {
    const decided = decideApproval(request({ subject: makeSubject({ source }), workspace: UNTRUSTED }));

    assert.equal(decided.ok && decided.value.subject.workspace, undefined);
    assert.equal(decided.ok, true);
  });
}

for (const decision of ["rejected", "revoked"] as const) {
  test(`A4 ${decision} is always written, in an untrusted workspace too`, () => {
    const decided = decideApproval(
      request({ decision, subject: makeSubject({}, UNTRUSTED), workspace: UNTRUSTED }),
    );

    assert.equal(decided.ok && decided.value.decision, decision);
  });

  test(`A4 ${decision} keeps no launch`, () => {
    const decided = decideApproval(request({ decision, launch: LAUNCH }));

    assert.equal(decided.ok && "launch" in decided.value, false);
  });
}

test("A4 a workspace whose trust was withdrawn and given again meanwhile makes no record", () => {
  const workspace = { ...TRUSTED, generation: TRUSTED.generation + 1 };

  assert.deepEqual(decideApproval(request({ workspace })), {
    ok: false,
    refusal: { kind: "activation-decision", reason: "workspace-changed", serverId: "helper" },
  });
});

test("M2 an approval keeps the launch that was seen, its environment names sorted", () => {
  const decided = decideApproval(request({ launch: LAUNCH }));

  assert.deepEqual(decided.ok && decided.value.launch, {
    ...LAUNCH,
    envKeys: ["A", "B"],
    codeChangingEnvKeys: ["LD_PRELOAD", "NODE_OPTIONS"],
  });
});
