import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import type { ApprovalRecord } from "../../src/domain/activation/approval.ts";
import type { ApprovalStore } from "../../src/ports/approval-store.ts";
import { NEVER, OTHER_WORKSPACE, makeRecord, makeSubject, valueOf } from "../kit/activation.ts";

/** Registers what every approval store has to do. `make` answers an empty store. */
export function approvalStoreContract(name: string, make: (t: TestContext) => Promise<ApprovalStore>): void {
  const given = `${name}:`;

  test(`A1 ${given} a store that nobody wrote to holds no record`, async (t) => {
    const store = await make(t);

    assert.deepEqual(valueOf(await store.load({ signal: NEVER })), { records: [] });
  });

  test(`A5 ${given} a record is read back exactly as it was written`, async (t) => {
    const store = await make(t);
    const record = fullRecord();

    const written = valueOf(await store.record(record, { signal: NEVER }));

    assert.deepEqual(written, { records: [record] });
    assert.deepEqual(valueOf(await store.load({ signal: NEVER })), { records: [record] });
  });

  test(`A5 ${given} approving a name in a second workspace keeps the first one's record`, async (t) => {
    const store = await make(t);
    const first = makeRecord();
    const second = makeRecord({ subject: makeSubject({}, OTHER_WORKSPACE) });

    await store.record(first, { signal: NEVER });
    const { records } = valueOf(await store.record(second, { signal: NEVER }));

    assert.deepEqual(new Set(records), new Set([first, second]));
  });

  test(`A5 ${given} a second decision under the same key takes the place of the first`, async (t) => {
    const store = await make(t);
    const revoked = makeRecord({ decision: "revoked", decidedAtMs: 1_900_000_000_000 });

    await store.record(makeRecord(), { signal: NEVER });
    const { records } = valueOf(await store.record(revoked, { signal: NEVER }));

    assert.deepEqual(records, [revoked]);
  });

  test(`A5 ${given} decisions of two authorities are kept side by side`, async (t) => {
    const store = await make(t);

    await store.record(makeRecord({ authority: "user" }), { signal: NEVER });
    const { records } = valueOf(await store.record(makeRecord({ authority: "managed" }), { signal: NEVER }));

    assert.deepEqual(records.map((record) => record.authority).toSorted(), ["managed", "user"]);
  });

  test(`A5 ${given} twenty decisions at once are all kept`, async (t) => {
    const store = await make(t);
    const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);

    await Promise.all(
      names.map((server) =>
        store.record(makeRecord({ subject: makeSubject({ name: server }) }), { signal: NEVER }),
      ),
    );

    const { records } = valueOf(await store.load({ signal: NEVER }));
    assert.deepEqual(records.map((record) => record.subject.serverId).toSorted(), names.toSorted());
  });

  test(`A5 ${given} names like __proto__ and constructor are kept as they are`, async (t) => {
    const store = await make(t);

    for (const server of ["__proto__", "constructor"]) {
      await store.record(makeRecord({ subject: makeSubject({ name: server }) }), { signal: NEVER });
    }

    const { records } = valueOf(await store.load({ signal: NEVER }));
    assert.deepEqual(
      records.map((record) => record.subject.serverId),
      ["__proto__", "constructor"],
    );
  });

  test(`A4 ${given} a record that claims a project's authority is a caller's bug and is not written`, async (t) => {
    const store = await make(t);
    // A host in plain JavaScript can pass it, so the type is widened here on purpose.
    const forged = { ...makeRecord(), authority: "project" } as unknown as ApprovalRecord;

    await assert.rejects(store.record(forged, { signal: NEVER }), { code: "approval-record-invalid" });

    assert.deepEqual(valueOf(await store.load({ signal: NEVER })), { records: [] });
  });

  test(`A5 ${given} an aborted call rejects with the signal's reason and writes nothing`, async (t) => {
    const store = await make(t);
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);

    await assert.rejects(store.load({ signal }), reason);
    await assert.rejects(store.record(makeRecord(), { signal }), reason);

    assert.deepEqual(valueOf(await store.load({ signal: NEVER })), { records: [] });
  });
}

function fullRecord(): ApprovalRecord {
  return makeRecord({
    launch: {
      executable: "/usr/bin/true",
      cwd: "/work/repository",
      envKeys: ["A", "NODE_OPTIONS"],
      codeChangingEnvKeys: ["NODE_OPTIONS"],
      allowShell: false,
    },
    covered: [
      { path: "command", digest: "0123456789abcdef", shown: "true" },
      { path: "env.A", digest: "fedcba9876543210", shown: "[redacted]" },
    ],
  });
}
