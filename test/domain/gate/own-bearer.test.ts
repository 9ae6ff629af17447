import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { BEARER_BYTES, createOwnBearer } from "../../../src/domain/gate/own-bearer.ts";

test("R4 a bearer has 256 bits, written without padding", () => {
  const { token } = createOwnBearer(new Uint8Array(BEARER_BYTES).fill(255));

  assert.equal(BEARER_BYTES * 8, 256);
  assert.equal(token, Buffer.alloc(32, 255).toString("base64url"));
});

test("R4 a bearer matches itself, and nothing that differs in one place or in length", () => {
  const { token, bearer } = createOwnBearer(new Uint8Array(BEARER_BYTES).fill(9));

  assert.equal(bearer.matches(token), true);
  for (let at = 0; at < token.length; at += 1) {
    const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    assert.equal(bearer.matches(changed), false, String(at));
  }
  for (const other of ["", token.slice(0, -1), `${token}A`, "undefined"])
    assert.equal(bearer.matches(other), false);
});

test("D17 what compares with a bearer cannot tell it", () => {
  const { token, bearer } = createOwnBearer(new Uint8Array(BEARER_BYTES).fill(9));

  assert.doesNotMatch(
    `${inspect(bearer, { depth: 9, showHidden: true })}${JSON.stringify(bearer)}`,
    new RegExp(token),
  );
});
