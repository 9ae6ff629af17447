import assert from "node:assert/strict";
import { test } from "node:test";

import { HTTP_ADMISSION_REASONS } from "../../../src/domain/http/refusal.ts";
import { describeHttpAdmissionRefusal } from "../../../src/domain/http/refusal-text.ts";

test("H7 every reason has one sentence of its own that names the server", () => {
  const sentences = HTTP_ADMISSION_REASONS.map((reason) =>
    describeHttpAdmissionRefusal({ kind: "http-admission", reason, serverId: "docs" }),
  );
  for (const sentence of sentences) assert.match(sentence, /^Server "docs" [a-z].*\.$/);
  assert.equal(new Set(sentences).size, HTTP_ADMISSION_REASONS.length);
});

test("H2 a header is told by its place, and an unset variable by its name", () => {
  const base = { kind: "http-admission", serverId: "docs" } as const;
  const header = describeHttpAdmissionRefusal({ ...base, reason: "reserved-header", position: 2 });
  const variable = describeHttpAdmissionRefusal({ ...base, reason: "unset-variable", variable: "TOKEN" });
  assert.match(header, /\(header 2\)/);
  assert.match(variable, /\(\$\{TOKEN\}\)/);
});
