import assert from "node:assert/strict";
import { test } from "node:test";

import { judgeRedirect } from "../../../src/domain/egress/redirect.ts";
import { admitTarget, type AdmittedTarget } from "../../../src/domain/egress/target.ts";

function admit(url: string): AdmittedTarget {
  const outcome = admitTarget(url, { allowDestinations: [] });
  assert.ok(outcome.ok);
  return outcome.value;
}

const TARGET = admit("https://api.example/mcp/");

for (const status of [300, 301, 302, 303, 305, 306, 307, 308, 399]) {
  test(`E7 status ${status} is refused with both origins`, () => {
    assert.deepEqual(judgeRedirect(TARGET, { status, location: "https://other.example:8443/x?y=z" }), {
      kind: "egress",
      reason: "redirect",
      status,
      fromOrigin: "https://api.example",
      toOrigin: "https://other.example:8443",
    });
  });
}

for (const status of [200, 204, 299, 304, 400, 401, 404, 500]) {
  test(`E7 status ${status} is no redirect, whatever its Location`, () => {
    assert.equal(judgeRedirect(TARGET, { status, location: "https://other.example/" }), undefined);
  });
}

const ORIGIN_ROWS: readonly (readonly [location: string | undefined, toOrigin: string | undefined])[] = [
  ["/mcp", "https://api.example"],
  ["other", "https://api.example"],
  ["//evil.example/x", "https://evil.example"],
  ["https://user:word@evil.example/x#y", "https://evil.example"],
  ["http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000"],
  ["javascript:alert(1)", undefined],
  ["file:///etc/passwd", undefined],
  ["http://", undefined],
  [`https://${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.example/`, undefined],
  [undefined, undefined],
];

for (const [location, toOrigin] of ORIGIN_ROWS) {
  test(`E7 the Location ${String(location).slice(0, 40)} names the origin ${toOrigin} and nothing else of it`, () => {
    const refusal = judgeRedirect(TARGET, { status: 307, location });
    assert.deepEqual(refusal, {
      kind: "egress",
      reason: "redirect",
      status: 307,
      fromOrigin: "https://api.example",
      ...(toOrigin === undefined ? {} : { toOrigin }),
    });
  });
}
