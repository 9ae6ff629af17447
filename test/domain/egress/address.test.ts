import assert from "node:assert/strict";
import { isIP, isIPv6 } from "node:net";
import { test } from "node:test";

import * as fc from "fast-check";

import { addressFamily, judgeAddress } from "../../../src/domain/egress/address.ts";
import { ADDRESS_ROWS } from "./address-rows.ts";

for (const [address, verdict] of ADDRESS_ROWS) {
  test(`E3 the address ${JSON.stringify(address)} is ${verdict}`, () => {
    assert.equal(judgeAddress(address), verdict);
  });
}

test("E3 the table holds at least 150 rows and no address twice", () => {
  assert.ok(ADDRESS_ROWS.length >= 150);
  assert.equal(new Set(ADDRESS_ROWS.map(([address]) => address)).size, ADDRESS_ROWS.length);
});

const RUNS = { numRuns: 300 };
const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet);
/** IPv4 addresses of every verdict, since random ones are nearly always public. */
const telling = fc.oneof(
  ipv4,
  fc.constantFrom(
    ...ADDRESS_ROWS.map(([address]) => address)
      .filter((address) => isIP(address) === 4)
      .map((address) => address.split(".").map(Number) as [number, number, number, number]),
  ),
);

function hex([a, b, c, d]: readonly [number, number, number, number]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

const WRAPPINGS: readonly (readonly [
  name: string,
  wrap: (ip: readonly [number, number, number, number]) => string,
])[] = [
  ["mapped", (ip) => `::ffff:${hex(ip)}`],
  ["mapped, dotted", (ip) => `::ffff:${ip.join(".")}`],
  ["translated", (ip) => `::ffff:0:${hex(ip)}`],
  ["NAT64", (ip) => `64:ff9b::${hex(ip)}`],
  ["local NAT64", (ip) => `64:ff9b:1::${hex(ip)}`],
  ["6to4", (ip) => `2002:${hex(ip)}::1`],
  ["Teredo server", (ip) => `2001:0:${hex(ip)}::f7f7:f7f7`],
  ["Teredo client", ([a, b, c, d]) => `2001:0:808:808::${hex([a ^ 0xff, b ^ 0xff, c ^ 0xff, d ^ 0xff])}`],
  ["ISATAP", (ip) => `2001:4860::5efe:${hex(ip)}`],
];

for (const [name, wrap] of WRAPPINGS) {
  test(`E3 any IPv4 address in a ${name} address is judged as itself`, () => {
    fc.assert(
      fc.property(telling, (ip) => {
        assert.equal(judgeAddress(wrap(ip)), judgeAddress(ip.join(".")));
      }),
      RUNS,
    );
  });
}

test("E3 any IPv4 address in a compatible address is judged as itself, but for :: and ::1", () => {
  fc.assert(
    fc.property(telling, (ip) => {
      fc.pre(ip.join(".") !== "0.0.0.1");
      assert.equal(judgeAddress(`::${hex(ip)}`), judgeAddress(ip.join(".")));
    }),
    RUNS,
  );
});

test("E3 any text has a verdict, and exactly what the machine reads as an address without a zone is one", () => {
  const text = fc.oneof(
    fc.string(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.stringMatching(/^[0-9a-f:.%]{0,48}$/),
    fc.tuple(fc.ipV6(), fc.string({ maxLength: 3 })).map((parts) => parts.join("%")),
  );
  fc.assert(
    fc.property(text, (address) => {
      const isAddress = isIP(address) !== 0 && !address.includes("%");
      assert.equal(judgeAddress(address) !== "invalid", isAddress);
      assert.equal(addressFamily(address), isAddress ? (isIPv6(address) ? 6 : 4) : undefined);
    }),
    { numRuns: 1_000 },
  );
});

test("E3 text as long as a request is judged at once", () => {
  assert.equal(judgeAddress("1:".repeat(500_000)), "invalid");
});
