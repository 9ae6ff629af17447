import assert from "node:assert/strict";
import { test } from "node:test";

import { judgeBodyCodings } from "../../../src/domain/gate/body-codings.ts";

const judge = (...rawHeaders: readonly string[]): number | undefined =>
  judgeBodyCodings({ method: "POST", target: "/mcp", rawHeaders })?.status;

test("R3b a body that is sent as it is, whole or in chunks, is read", () => {
  assert.equal(judge(), undefined);
  assert.equal(judge("Content-Length", "2"), undefined);
  assert.equal(judge("Transfer-Encoding", "chunked"), undefined);
  assert.equal(judge("transfer-encoding", "Chunked"), undefined);
  for (const identity of ["identity", "Identity", "", "identity, identity"]) {
    assert.equal(judge("Content-Encoding", identity), undefined, identity);
  }
});

test("R3b a body that would have to be decompressed is 415", () => {
  for (const coding of ["gzip", "br", "deflate", "identity, gzip", "gzip,", "chunked", "x"]) {
    assert.equal(judge("Content-Encoding", coding), 415, coding);
  }
  assert.equal(judge("Content-Encoding", "identity", "content-encoding", "gzip"), 415);
});

test("R3b a transfer in any coding but chunked is 501, however it is spelled", () => {
  for (const coding of [
    "gzip, chunked",
    "chunked, chunked",
    "identity",
    "chunked;a=b",
    "chunked,",
    "",
    "xchunked",
  ]) {
    assert.equal(judge("Transfer-Encoding", coding), 501, coding);
  }
  assert.equal(judge("Transfer-Encoding", "chunked", "transfer-encoding", "chunked"), 501);
  assert.equal(judge("Content-Encoding", "gzip", "Transfer-Encoding", "gzip"), 501);
});
