import assert from "node:assert/strict";
import { test } from "node:test";

import { GATE_REASONS, type GateRecord } from "../../../src/domain/gate/gate-record.ts";
import { loopbackAuthority } from "../../../src/domain/gate/loopback.ts";
import { createOwnBearer } from "../../../src/domain/gate/own-bearer.ts";
import { remotePlace } from "../../../src/domain/gate/remote-place.ts";
import type { GateAnswer, HttpGate } from "../../../src/ports/http-gate.ts";
import { loopbackGate } from "../../../src/composition/serve/http-loopback-gate.ts";
import { remoteGate } from "../../../src/composition/serve/http-remote-gate.ts";
import { valueOf } from "../../kit/activation.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { type GateRow, headLines, LOOPBACK_ROWS } from "../../kit/gate-rows.ts";
import { REMOTE_ROWS } from "../../kit/remote-gate-rows.ts";
import { FakeTokenVerifier } from "../../kit/token-verifiers.ts";

const { signal } = new AbortController();
const FROM = { peer: "127.0.0.1", signal };

function verdictOf(answer: GateAnswer): Pick<GateRow, "status" | "reason"> {
  return answer.kind === "turned-away" ? { status: answer.status, reason: answer.reason } : { status: 200 };
}

function expected({ status, reason }: GateRow): Pick<GateRow, "status" | "reason"> {
  return reason === undefined ? { status } : { status, reason };
}

async function judge(
  gate: HttpGate,
  row: GateRow,
  place: Parameters<typeof headLines>[1],
): Promise<GateAnswer> {
  const { method, target, headers } = headLines(row, place);
  return gate.judge({ method, target, rawHeaders: headers.flat() }, FROM);
}

const PORT = 43_210;
const { token, bearer } = createOwnBearer(new Uint8Array(32).fill(7));

for (const row of LOOPBACK_ROWS) {
  test(`R4 a loopback gate answers ${row.what} with ${row.status} ${row.reason ?? "admitted"}`, async () => {
    const gate = loopbackGate({ authority: loopbackAuthority(PORT), bearer, audit: undefined });

    const answer = await judge(gate, row, { host: `127.0.0.1:${PORT}`, port: PORT, token });

    assert.deepEqual(verdictOf(answer), expected(row));
  });
}

const PLACE = valueOf(
  remotePlace({
    publicUrl: "https://mcp.example.com/mcp",
    issuer: "https://issuer.example.com",
    scopes: ["mcp:use"],
  }),
);

for (const row of REMOTE_ROWS) {
  test(`R5 a remote gate answers ${row.what} with ${row.status} ${row.reason ?? "admitted"}`, async () => {
    const verifier = new FakeTokenVerifier();
    const gate = remoteGate({
      place: PLACE,
      verifier,
      trusted: () => false,
      clock: new FakeClock(),
      audit: undefined,
    });

    const answer = await judge(gate, row, { host: "mcp.example.com", port: PORT, token: "valid" });

    assert.deepEqual(verdictOf(answer), expected(row));
    // What an earlier check turns away, no verifier is asked about.
    if (["host", "origin", "path", "no-token", "token-malformed"].includes(row.reason ?? "")) {
      assert.deepEqual(verifier.asked, []);
    }
  });
}

test("R4 the default port may be left out of Host and Origin, and no other", () => {
  assert.deepEqual(loopbackAuthority(80).hosts, ["127.0.0.1", "127.0.0.1:80"]);
  assert.deepEqual(loopbackAuthority(80).origins, ["http://127.0.0.1", "http://127.0.0.1:80"]);
  assert.deepEqual(loopbackAuthority(443).hosts, ["127.0.0.1:443"]);
});

test("R3b there are at least 120 heads for loopback, and none twice", () => {
  const names = new Set(LOOPBACK_ROWS.map(({ what }) => what));

  assert.ok(LOOPBACK_ROWS.length >= 120, String(LOOPBACK_ROWS.length));
  assert.equal(names.size, LOOPBACK_ROWS.length);
  assert.equal(new Set(REMOTE_ROWS.map(({ what }) => what)).size, REMOTE_ROWS.length);
});

test("R4 the caller of a loopback host is one and the same, and no part of the bearer", async () => {
  const gate = loopbackGate({ authority: loopbackAuthority(PORT), bearer, audit: undefined });

  const answer = await judge(gate, LOOPBACK_ROWS[0] ?? assert.fail(), {
    host: `127.0.0.1:${PORT}`,
    port: PORT,
    token,
  });

  assert.deepEqual(answer, { kind: "admitted", caller: "loopback" });
});

test("R5 callers of a remote host differ by issuer, subject and client, whatever these contain", async () => {
  const gate = remoteGate({
    place: PLACE,
    verifier: new FakeTokenVerifier(),
    trusted: () => false,
    clock: new FakeClock(),
    audit: undefined,
  });
  const [row = assert.fail()] = REMOTE_ROWS;
  const place = { host: "mcp.example.com", port: PORT };

  const one = await judge(gate, row, { ...place, token: "valid-a" });
  const other = await judge(gate, row, { ...place, token: "valid-b" });

  assert.partialDeepStrictEqual(one, {
    kind: "admitted",
    caller: '["https://issuer.example.com","a","client"]',
    isOneOfMany: true,
  });
  assert.partialDeepStrictEqual(other, { caller: '["https://issuer.example.com","b","client"]' });
});

test("R7 an audit that throws changes nothing about the refusal", () => {
  const seen: GateRecord[] = [];
  const gate = loopbackGate({
    authority: loopbackAuthority(PORT),
    bearer,
    audit: (record) => {
      seen.push(record);
      throw new Error("full");
    },
  });

  gate.turnedAway("host", { peer: "127.0.0.1" });

  assert.deepEqual(seen, [{ reason: "host", address: "loopback" }]);
});

test("R7 the reasons of a gate are the pinned ones", () => {
  assert.deepEqual(GATE_REASONS.toSorted(), [
    "body-coding",
    "body-too-large",
    "busy",
    "caller-busy",
    "head-too-large",
    "host",
    "malformed-request",
    "method",
    "no-token",
    "origin",
    "path",
    "request-timeout",
    "throttled",
    "too-many-connections",
    "verifier-failed",
    "wrong-token",
  ]);
});
