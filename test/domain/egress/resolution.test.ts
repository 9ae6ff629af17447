import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { EgressReason } from "../../../src/domain/egress/refusal.ts";
import { judgeResolution, knownAddresses, MOST_ADDRESSES } from "../../../src/domain/egress/resolution.ts";
import { admitTarget, type AdmittedTarget } from "../../../src/domain/egress/target.ts";

function admit(url: string, allowDestinations: readonly string[] = []): AdmittedTarget {
  const outcome = admitTarget(url, { allowDestinations });
  assert.ok(outcome.ok, url);
  return outcome.value;
}

const NAME = admit("https://api.example/");

function judge(
  addresses: readonly string[],
  allowDestinations: readonly string[] = [],
): EgressReason | string[] {
  const outcome = judgeResolution(NAME, addresses, { allowDestinations });
  return outcome.ok ? outcome.value.map(({ address }) => address) : outcome.refusal.reason;
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `8.8.8.${i}`);
}

test("E3 a name all of whose addresses are public is pinned to them", () => {
  const outcome = judgeResolution(NAME, ["8.8.8.8", "2606:4700:4700::1111"], { allowDestinations: [] });
  assert.deepEqual(outcome, {
    ok: true,
    value: [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700:4700::1111", family: 6 },
    ],
  });
});

for (const bad of [
  "10.0.0.1",
  "127.0.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "::ffff:10.0.0.1",
  "fe80::1%eth0",
  "nonsense",
]) {
  test(`E3 one address ${bad} among public ones refuses the whole name`, () => {
    assert.equal(judge(["8.8.8.8", bad]), "private-address");
    assert.equal(judge([bad, "8.8.8.8"]), "private-address");
  });
}

test("E2 a public name that resolves to loopback is refused", () => {
  assert.equal(judge(["127.0.0.1"]), "private-address");
  assert.equal(judge(["::1"]), "private-address");
});

test("E4 a metadata address refuses the name even where the host allows it", () => {
  assert.equal(judge(["169.254.169.254"], ["api.example:443"]), "metadata-address");
  assert.equal(judge(["10.0.0.1", "fd00:ec2::254"], ["api.example:443"]), "metadata-address");
});

test("E5 an allowed destination may be private, loopback through DNS, or mixed", () => {
  const answer = ["10.0.0.1", "127.0.0.1", "8.8.8.8"];
  assert.deepEqual(judge(answer, ["api.example:443"]), answer);
});

for (const allowed of [
  "api.example:444",
  "api.example",
  "example:443",
  "*.example:443",
  "API.example:443x",
]) {
  test(`E5 the entry ${allowed} does not allow api.example:443`, () => {
    assert.equal(judge(["10.0.0.1"], [allowed]), "private-address");
  });
}

test("E5 an entry is compared without regard to case", () => {
  assert.deepEqual(judge(["10.0.0.1"], ["API.Example:443"]), ["10.0.0.1"]);
});

test("E5 an allowed destination stays closed to multicast, unspecified and unreadable addresses", () => {
  for (const address of ["224.0.0.1", "0.0.0.0", "::", "fe80::1%1"]) {
    assert.equal(judge([address], ["api.example:443"]), "private-address");
  }
});

test("E3 a name without addresses is unresolvable", () => {
  assert.equal(judge([]), "unresolvable");
});

test("E3 63 or 64 addresses are judged, and 65 refuse the name", () => {
  assert.equal(MOST_ADDRESSES, 64);
  assert.deepEqual(judge(addresses(63)), addresses(63));
  assert.deepEqual(judge(addresses(64)), addresses(64));
  assert.equal(judge(addresses(65)), "unresolvable");
});

test("E6 the families take turns, beginning with the first, and a repeated address is tried once", () => {
  assert.deepEqual(judge(["2a00::1", "2a00::2", "2a00::3", "8.8.8.8", "8.8.8.8"]), [
    "2a00::1",
    "8.8.8.8",
    "2a00::2",
    "2a00::3",
  ]);
});

test("E6 the pins are exactly the addresses of the answer", () => {
  const publicAddress = fc.constantFrom("8.8.8.8", "1.1.1.1", "2a00::1", "2a00::2", "9.9.9.9");
  fc.assert(
    fc.property(fc.array(publicAddress, { minLength: 1 }), (addresses) => {
      const pins = judge(addresses);
      assert.ok(Array.isArray(pins));
      assert.deepEqual(pins.toSorted(), [...new Set(addresses)].toSorted());
    }),
    { numRuns: 100 },
  );
});

test("E2 localhost and literals need no resolver, and names do", () => {
  assert.deepEqual(knownAddresses(admit("http://localhost/")), ["127.0.0.1", "::1"]);
  assert.deepEqual(knownAddresses(admit("http://127.8.8.8/")), ["127.8.8.8"]);
  assert.deepEqual(knownAddresses(admit("http://[::1]/")), ["::1"]);
  assert.deepEqual(knownAddresses(admit("https://8.8.8.8/")), ["8.8.8.8"]);
  assert.equal(knownAddresses(NAME), undefined);
  assert.equal(knownAddresses(admit("https://localhost./")), undefined);
});

test("E2 a loopback target is pinned to loopback addresses and to nothing else", () => {
  const local = admit("http://localhost:3000/");
  const policy = { allowDestinations: [] };
  assert.equal(judgeResolution(local, ["127.0.0.1", "::1"], policy).ok, true);
  assert.equal(judgeResolution(local, ["8.8.8.8"], policy).ok, false);
  assert.equal(judgeResolution(local, ["10.0.0.1"], policy).ok, false);
});

test("E5 a literal that another policy admitted is judged again by this one", () => {
  const target = admit("https://10.0.0.5/", ["10.0.0.5:443"]);
  assert.equal(judgeResolution(target, ["10.0.0.5"], { allowDestinations: [] }).ok, false);
});
