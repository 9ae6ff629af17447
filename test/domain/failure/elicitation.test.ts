import assert from "node:assert/strict";
import { test } from "node:test";

import { classify } from "../../../src/domain/failure/classify.ts";
import { evidenceOf } from "../../../src/domain/failure/evidence.ts";

test("V2 a connection that ended over what its server asked is broken, and not tried again by itself", () => {
  for (const reason of ["sampling-asked", "roots-asked", "too-many-rounds"] as const) {
    const verdict = classify(evidenceOf({ kind: "elicitation", reason, serverId: "s" }));

    assert.equal(verdict.class, "protocol");
  }
});
