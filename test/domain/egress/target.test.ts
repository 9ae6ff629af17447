import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { EgressReason } from "../../../src/domain/egress/refusal.ts";
import { admitTarget, isAdmittedTarget, type AdmittedTarget } from "../../../src/domain/egress/target.ts";

const NOTHING_ALLOWED = { allowDestinations: [] };

function reasonFor(url: string, allowDestinations: readonly string[] = []): EgressReason | "admitted" {
  const outcome = admitTarget(url, { allowDestinations });
  return outcome.ok ? "admitted" : outcome.refusal.reason;
}

function admit(url: string): AdmittedTarget {
  const outcome = admitTarget(url, NOTHING_ALLOWED);
  assert.ok(outcome.ok, url);
  return outcome.value;
}

const URL_ROWS: readonly (readonly [id: string, url: string, reason: EgressReason | "admitted"])[] = [
  ["E1", "https://example.com/mcp", "admitted"],
  ["E1", "HTTPS://EXAMPLE.COM:8443/mcp?tenant=a", "admitted"],
  ["E1", "https://example.com./mcp", "admitted"],
  ["E1", "https://8.8.8.8/", "admitted"],
  ["E1", "https://[2606:4700:4700::1111]/", "admitted"],
  ["E1", "https://under_score.example.com/", "admitted"],
  ["E1", "https://exämple.com/", "admitted"],
  ["E1", "http://example.com/", "insecure-scheme"],
  ["E1", "http://8.8.8.8/", "insecure-scheme"],
  ["E1", "ftp://example.com/", "unsupported-scheme"],
  ["E1", "ws://localhost:1234/", "unsupported-scheme"],
  ["E1", "wss://example.com/", "unsupported-scheme"],
  ["E1", "file:///etc/passwd", "unsupported-scheme"],
  ["E1", "javascript:alert(1)", "unsupported-scheme"],
  ["E1", "data:text/plain,x", "unsupported-scheme"],
  ["E1", "https://user@example.com/", "userinfo"],
  ["E1", "https://user:word@example.com/", "userinfo"],
  ["E1", "https://:@example.com/", "userinfo"],
  ["E1", "https://@example.com/", "userinfo"],
  ["E1", "https://example.com@evil.example/", "userinfo"],
  ["E1", "http://localhost:80@evil.example/", "userinfo"],
  ["E1", "https://example.com/a@b?c=d@e", "admitted"],
  ["E1", "https://example.com/#part", "invalid-url"],
  ["E1", "https://example.com/#", "invalid-url"],
  ["E1", "", "invalid-url"],
  ["E1", "example.com", "invalid-url"],
  ["E1", "//example.com/", "invalid-url"],
  ["E1", "https:example.com", "invalid-url"],
  ["E1", "https:/example.com", "invalid-url"],
  ["E1", "https:///example.com", "invalid-url"],
  ["E1", "https://", "invalid-url"],
  ["E1", " https://example.com/", "invalid-url"],
  ["E1", "https://example.com/ ", "invalid-url"],
  ["E1", "https://exam\tple.com/", "invalid-url"],
  ["E1", "https://example.com/\r\nHost: evil", "invalid-url"],
  ["E1", "https://example.com/\u0000", "invalid-url"],
  ["E1", "https://example.com/\u0085", "invalid-url"],
  ["E1", "https://example.com\\@evil.example/", "invalid-url"],
  ["E1", "https:\\\\example.com/", "invalid-url"],
  ["E1", "https://exam\u00adple.com/", "invalid-url"],
  ["E1", "https://example.com/\u202egro.live", "invalid-url"],
  ["E1", "https://example.com/\ud800", "invalid-url"],
  ["E1", "https://a..b/", "invalid-url"],
  ["E1", "https://.example.com/", "invalid-url"],
  ["E1", "https://a;b/", "invalid-url"],
  ["E1", "https://a*b/", "invalid-url"],
  ["E1", "https://256.1.1.1/", "invalid-url"],
  ["E1", "https://[fe80::1%25eth0]/", "invalid-url"],
  ["E1", "https://example.com:99999/", "invalid-url"],
  ["E1", "https://example.com:0/", "invalid-url"],
  ["E1", "http://localhost:25/", "invalid-url"],
  ["E1", "http://127.0.0.1:6667/", "invalid-url"],
  ["E1", "http://127.0.0.1:6670/", "admitted"],
  ["E2", "http://localhost/", "admitted"],
  ["E2", "http://LOCALHOST:3000/mcp", "admitted"],
  ["E2", "https://localhost/", "admitted"],
  ["E2", "http://127.0.0.1/", "admitted"],
  ["E2", "http://127.255.255.254:9000/", "admitted"],
  ["E2", "http://[::1]:3000/", "admitted"],
  ["E2", "http://[0:0:0:0:0:0:0:1]/", "admitted"],
  ["E2", "http://localhost./", "insecure-scheme"],
  ["E2", "http://foo.localhost/", "insecure-scheme"],
  ["E2", "http://localhost.example.com/", "insecure-scheme"],
  ["E2", "http://127.0.0.1.example.com/", "insecure-scheme"],
  ["E2", "http://0.0.0.0:3000/", "private-address"],
  ["E2", "http://0/", "private-address"],
  ["E2", "http://[::]/", "private-address"],
  ["E3", "http://2130706433/", "admitted"],
  ["E3", "http://0x7f000001/", "admitted"],
  ["E3", "http://0x7f.1/", "admitted"],
  ["E3", "http://0177.0.0.1/", "admitted"],
  ["E3", "http://127.1/", "admitted"],
  ["E3", "http://１２７.0.0.1/", "admitted"],
  ["E3", "http://127。0。0。1/", "admitted"],
  ["E3", "https://0xa.0.0.1/", "private-address"],
  ["E3", "https://012.1/", "private-address"],
  ["E3", "https://167772161/", "private-address"],
  ["E3", "https://10.1/", "private-address"],
  ["E3", "https://10.0.0.1./", "private-address"],
  ["E3", "https://192.168.1.1/", "private-address"],
  ["E3", "https://224.0.0.1/", "private-address"],
  ["E3", "https://255.255.255.255/", "private-address"],
  ["E3", "https://[fd00::1]/", "private-address"],
  ["E3", "https://[fe80::1]/", "private-address"],
  ["E3", "https://[ff02::1]/", "private-address"],
  ["D16", "http://[::ffff:127.0.0.1]/", "private-address"],
  ["D16", "https://[::ffff:7f00:1]/", "private-address"],
  ["D16", "https://[::127.0.0.1]/", "private-address"],
  ["D16", "https://[2002:7f00:1::]/", "private-address"],
  ["D16", "https://[64:ff9b::7f00:1]/", "private-address"],
  ["D16", "https://[::ffff:a9fe:a9fe]/", "metadata-address"],
  ["D16", "https://[64:ff9b::a9fe:a9fe]/", "metadata-address"],
  ["D16", "https://[::ffff:8.8.8.8]/", "admitted"],
  ["E4", "http://169.254.169.254/latest/meta-data", "metadata-address"],
  ["E4", "https://169.254.169.254/", "metadata-address"],
  ["E4", "https://0xa9fea9fe/", "metadata-address"],
  ["E4", "https://2852039166/", "metadata-address"],
  ["E4", "https://[fd00:ec2::254]/", "metadata-address"],
  ["E4", "https://100.100.100.200/", "metadata-address"],
  ["E4", "https://168.63.129.16/", "metadata-address"],
  ["E4", "http://metadata.google.internal/", "metadata-address"],
  ["E4", "https://METADATA.google.internal./computeMetadata", "metadata-address"],
  ["E4", "https://metadata/", "metadata-address"],
  ["E4", "https://instance-data/", "metadata-address"],
  ["E4", "https://metadata.example.com/", "admitted"],
];

for (const [id, url, reason] of URL_ROWS) {
  test(`${id} the URL ${JSON.stringify(url)} is ${reason === "admitted" ? reason : `refused: ${reason}`}`, () => {
    assert.equal(reasonFor(url), reason);
  });
}

test("E1 a URL of 8,191 or 8,192 characters is admitted, and one of 8,193 refused", () => {
  const start = "https://example.com/";
  assert.equal(reasonFor(start.padEnd(8_191, "a")), "admitted");
  assert.equal(reasonFor(start.padEnd(8_192, "a")), "admitted");
  assert.equal(reasonFor(start.padEnd(8_193, "a")), "invalid-url");
});

test("E1 a host name of 252 or 253 characters is admitted, and one of 254 refused", () => {
  const start = `https://${"a.".repeat(100)}`;
  assert.equal(reasonFor(`${start}${"b".repeat(52)}/`), "admitted");
  assert.equal(reasonFor(`${start}${"b".repeat(53)}/`), "admitted");
  assert.equal(reasonFor(`${start}${"b".repeat(53)}./`), "admitted");
  assert.equal(reasonFor(`${start}${"b".repeat(54)}/`), "invalid-url");
});

test("E1 a label of 63 characters is admitted, and one of 64 refused", () => {
  assert.equal(reasonFor(`https://${"a".repeat(62)}.com/`), "admitted");
  assert.equal(reasonFor(`https://${"a".repeat(63)}.com/`), "admitted");
  assert.equal(reasonFor(`https://${"a".repeat(64)}.com/`), "invalid-url");
});

test("E1 an admitted target is the normalised URL, taken apart and frozen", () => {
  const target = admit("HTTPS://Example.COM:443/a/../b?c=d");
  assert.deepEqual(
    { ...target },
    {
      href: "https://example.com/b?c=d",
      origin: "https://example.com",
      scheme: "https",
      hostname: "example.com",
      port: 443,
      loopback: false,
    },
  );
  assert.ok(Object.isFrozen(target));
});

test("E2 loopback is decided by the host's text, and an IPv6 host loses its brackets", () => {
  const { hostname, port, loopback } = admit("http://[0:0::1]:3000/");
  assert.deepEqual({ hostname, port, loopback }, { hostname: "::1", port: 3000, loopback: true });
  assert.equal(admit("https://localhost./").loopback, false);
  assert.equal(admit("http://127.9.9.9/").loopback, true);
});

test("E1 an object that only looks like a target is told from an admitted one", () => {
  const target = admit("https://example.com/");
  assert.equal(isAdmittedTarget(target), true);
  assert.equal(isAdmittedTarget({ ...target }), false);
  assert.equal(isAdmittedTarget(structuredClone(target)), false);
});

const ALLOW_ROWS: readonly (readonly [url: string, allowed: string, reason: EgressReason | "admitted"])[] = [
  ["https://10.0.0.5/", "10.0.0.5:443", "admitted"],
  ["https://10.0.0.5:8443/", "10.0.0.5:8443", "admitted"],
  ["https://10.0.0.5:8444/", "10.0.0.5:8443", "private-address"],
  ["https://10.0.0.6/", "10.0.0.5:443", "private-address"],
  ["https://10.0.0.5/", "10.0.0.5", "private-address"],
  ["https://10.0.0.5/", "10.0.0.*:443", "private-address"],
  ["https://10.0.0.5/", "https://10.0.0.5:443", "private-address"],
  ["https://[fd00::5]:8443/", "[fd00::5]:8443", "admitted"],
  ["https://[fd00::5]:8443/", "fd00::5:8443", "private-address"],
  ["http://10.0.0.5/", "10.0.0.5:80", "insecure-scheme"],
  ["https://169.254.169.254/", "169.254.169.254:443", "metadata-address"],
  ["https://metadata.google.internal/", "metadata.google.internal:443", "metadata-address"],
  ["https://224.0.0.1/", "224.0.0.1:443", "private-address"],
  ["https://0.0.0.0/", "0.0.0.0:443", "private-address"],
];

for (const [url, allowed, reason] of ALLOW_ROWS) {
  const id = reason === "metadata-address" ? "E4" : "E5";
  test(`${id} ${url} with ${allowed} allowed is ${reason === "admitted" ? reason : `refused: ${reason}`}`, () => {
    assert.equal(reasonFor(url, [allowed]), reason);
  });
}

test("E1 any text is admitted or refused, and what is admitted is admitted again as it stands", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ["https", "http", "ftp"] }),
    fc.tuple(fc.constantFrom("https://", "http://"), fc.string()).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (url) => {
      const outcome = admitTarget(url, NOTHING_ALLOWED);
      if (!outcome.ok) return;
      assert.deepEqual({ ...admit(outcome.value.href) }, { ...outcome.value });
    }),
    { numRuns: 1_000 },
  );
});
