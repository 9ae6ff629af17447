import assert from "node:assert/strict";
import { test } from "node:test";

import { describeEgressRefusal } from "../../../src/domain/egress/refusal-text.ts";
import { EGRESS_REASONS, type EgressFailure } from "../../../src/domain/egress/refusal.ts";

const FAILURES: Readonly<Record<EgressFailure["reason"], true>> = {
  "connection-refused": true,
  "connection-reset": true,
  tls: true,
  unreachable: true,
  protocol: true,
  other: true,
};

test("E9 the reasons are exactly these", () => {
  assert.deepEqual(
    [...EGRESS_REASONS],
    [
      "unsupported-scheme",
      "insecure-scheme",
      "userinfo",
      "invalid-url",
      "private-address",
      "metadata-address",
      "unresolvable",
      "redirect",
      "endpoint-mismatch",
      "response-too-large",
      "timeout",
      "closed",
    ],
  );
});

test("E9 every reason and every failure has a sentence of its own", () => {
  const sentences = [
    ...EGRESS_REASONS.map((reason) => describeEgressRefusal({ kind: "egress", reason })),
    ...Object.keys(FAILURES).map((reason) =>
      describeEgressRefusal({ kind: "network", reason: reason as EgressFailure["reason"] }),
    ),
  ];
  assert.equal(new Set(sentences).size, sentences.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].{20,200}\.$/);
});

test("D2 a redirect on the same origin says that the configured URL should be changed", () => {
  const origin = "https://api.example";
  assert.equal(
    describeEgressRefusal({
      kind: "egress",
      reason: "redirect",
      status: 307,
      fromOrigin: origin,
      toOrigin: origin,
    }),
    "The server answered with a redirect (307) to another path on https://api.example, which is never followed; change the configured URL to the new path.",
  );
});

test("D1 a redirect to another origin names both origins", () => {
  assert.equal(
    describeEgressRefusal({
      kind: "egress",
      reason: "redirect",
      status: 302,
      fromOrigin: "https://api.example",
      toOrigin: "http://127.0.0.1:3000",
    }),
    "The server answered with a redirect (302) from https://api.example to http://127.0.0.1:3000, which is never followed; if the server has moved, change the configured URL.",
  );
});
