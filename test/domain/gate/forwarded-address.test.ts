import assert from "node:assert/strict";
import { test } from "node:test";

import { addressClass } from "../../../src/domain/gate/gate-record.ts";
import { callerAddress, throttleKey, trustedProxies } from "../../../src/domain/gate/forwarded-address.ts";
import { valueOf } from "../../kit/activation.ts";

const PROXY = "10.0.0.1";

interface Row {
  readonly what: string;
  readonly peer?: string;
  readonly proxies?: readonly string[];
  readonly forwarded?: readonly string[];
  readonly address: string | undefined;
}

const ROWS: readonly Row[] = [
  { what: "no proxy is configured", proxies: [], forwarded: ["8.8.8.8"], address: PROXY },
  { what: "the peer is no configured proxy", peer: "9.9.9.9", forwarded: ["8.8.8.8"], address: "9.9.9.9" },
  { what: "a proxy says nothing", address: PROXY },
  { what: "a proxy says an empty list", forwarded: [""], address: PROXY },
  { what: "a proxy says one address", forwarded: ["8.8.8.8"], address: "8.8.8.8" },
  { what: "the caller claims another one before it", forwarded: ["1.1.1.1, 8.8.8.8"], address: "8.8.8.8" },
  { what: "the caller claims to be the proxy", forwarded: ["10.0.0.1, 8.8.8.8"], address: "8.8.8.8" },
  { what: "the caller's claim has a line of its own", forwarded: ["1.1.1.1", "8.8.8.8"], address: "8.8.8.8" },
  {
    what: "two proxies stand in a row",
    forwarded: ["1.1.1.1, 8.8.8.8, 10.0.0.2"],
    proxies: ["10.0.0.0/8"],
    address: "8.8.8.8",
  },
  {
    what: "all are proxies",
    forwarded: ["10.0.0.3, 10.0.0.2"],
    proxies: ["10.0.0.0/8"],
    address: "10.0.0.3",
  },
  {
    what: "a proxy says something else than an address",
    forwarded: ["8.8.8.8, unknown"],
    address: undefined,
  },
  { what: "a proxy says nothing in last place", forwarded: ["8.8.8.8,"], address: undefined },
  { what: "a proxy says an obfuscated name", forwarded: ["_hidden"], address: undefined },
  { what: "a proxy says an octal address", forwarded: ["010.0.0.1"], address: undefined },
  { what: "a proxy says a short address", forwarded: ["127.1"], address: undefined },
  { what: "a proxy says an address with a zone", forwarded: ["fe80::1%eth0"], address: undefined },
  { what: "a proxy says a port as well", forwarded: ["8.8.8.8:1234"], address: "8.8.8.8" },
  { what: "a proxy says IPv6", forwarded: ["2606:4700::1111"], address: "2606:4700::1111" },
  { what: "a proxy says IPv6 with a port", forwarded: ["[2606:4700::1111]:443"], address: "2606:4700::1111" },
  { what: "a proxy says mapped IPv4", forwarded: ["::ffff:8.8.8.8"], address: "8.8.8.8" },
  { what: "a peer on the link is no proxy", peer: "fe80::2%eth0", proxies: ["fe80::1"], address: "fe80::2" },
  {
    what: "the proxy is on the link, behind an interface",
    peer: "fe80::1%eth0",
    proxies: ["fe80::1"],
    forwarded: ["8.8.8.8"],
    address: "8.8.8.8",
  },
  {
    what: "the proxy's own address is mapped",
    peer: "::ffff:10.0.0.1",
    forwarded: ["8.8.8.8"],
    address: "8.8.8.8",
  },
  {
    what: "the proxy is configured as mapped",
    proxies: ["::ffff:10.0.0.1"],
    forwarded: ["8.8.8.8"],
    address: "8.8.8.8",
  },
  {
    what: "the proxy speaks IPv6",
    peer: "fd00::1",
    proxies: ["fd00::/8"],
    forwarded: ["8.8.8.8"],
    address: "8.8.8.8",
  },
  {
    what: "a block is of the other family",
    peer: "fd00::1",
    proxies: ["0.0.0.0/0"],
    forwarded: ["8.8.8.8"],
    address: "fd00::1",
  },
  {
    what: "a block is one address wide and another one",
    proxies: ["10.0.0.2/32"],
    forwarded: ["8.8.8.8"],
    address: PROXY,
  },
];

for (const { what, peer = PROXY, proxies = [PROXY], forwarded = [], address } of ROWS) {
  test(`R6 where ${what}, the caller is ${address ?? "unknown"}`, () => {
    const trusted = valueOf(trustedProxies(proxies));

    assert.equal(callerAddress(peer, { forwarded, trusted }), address);
  });
}

test("R6 a connection that is gone has no address", () => {
  assert.equal(callerAddress(undefined, { forwarded: ["8.8.8.8"], trusted: () => true }), undefined);
});

test("R6 a list as long as a head can hold is walked to its end at most", () => {
  const list = Array.from({ length: 8_000 }, () => "10.0.0.9").join(",");

  assert.equal(callerAddress(PROXY, { forwarded: [list], trusted: () => true }), "10.0.0.9");
});

for (const entry of [
  "",
  "proxy.example",
  "10.0.0.0/33",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0",
  "fd00::/129",
  "*",
  "10.0.0.1:80",
  " 10.0.0.1",
]) {
  test(`R6 ${entry === "" ? "an empty text" : entry} is no proxy: its position is refused`, () => {
    assert.deepEqual(trustedProxies(["10.0.0.1", entry]), { ok: false, refusal: 1 });
  });
}

for (const [address, key] of [
  ["8.8.8.8", "8.8.8.8"],
  ["::ffff:8.8.8.8", "8.8.8.8"],
  ["2606:4700:1:2:3:4:5:6", "9734:18176:1:2"],
  ["2606:4700:1:2::9", "9734:18176:1:2"],
  ["2606:4700:1:3::9", "9734:18176:1:3"],
  [undefined, ""],
] as const) {
  test(`R6 failures of ${address ?? "nobody known"} are counted under ${key === "" ? "one key" : key}`, () => {
    assert.equal(throttleKey(address), key);
  });
}

for (const [address, expected] of [
  ["127.0.0.1", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["10.1.2.3", "private"],
  ["192.168.0.1", "private"],
  ["fd00::1", "private"],
  ["8.8.8.8", "public"],
  ["2606:4700::1111", "public"],
  ["169.254.169.254", "unknown"],
  ["224.0.0.1", "unknown"],
  ["nonsense", "unknown"],
  [undefined, "unknown"],
] as const) {
  test(`R7 the class of ${address ?? "no address"} is ${expected}`, () => {
    assert.equal(addressClass(address), expected);
  });
}
