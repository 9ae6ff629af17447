import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { errors } from "undici";

import { translateError } from "../../../src/adapters/http-undici/errors.ts";
import type { EgressFailure } from "../../../src/domain/egress/refusal.ts";
import { EgressError } from "../../../src/ports/egress.ts";
import { egressWorld, refusalOf, startTcp } from "../../kit/egress-world.ts";

const CODES: Readonly<Record<EgressFailure["reason"], readonly string[]>> = {
  "connection-refused": ["ECONNREFUSED"],
  "connection-reset": ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_DESTROYED"],
  tls: [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REVOKED",
    "CRL_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    "EPROTO",
    "HOSTNAME_MISMATCH",
  ],
  unreachable: ["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT", "EHOSTDOWN", "ENETDOWN"],
  protocol: [
    "UND_ERR_HEADERS_OVERFLOW",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "Z_DATA_ERROR",
    "Z_BUF_ERROR",
    "ERR_BROTLI_DECODER_ERROR_UNREACHABLE",
    "ZSTD_error_prefix_unknown",
  ],
  other: ["EMFILE", "", "econnrefused", "XECONNRESET", "__proto__"],
};

for (const [reason, codes] of Object.entries(CODES)) {
  for (const code of codes) {
    test(`E9 the code "${code}" is ${reason}`, () => {
      assert.deepEqual(translateError(Object.assign(new Error("ECONNREFUSED"), { code })), {
        kind: "network",
        reason,
      });
    });
  }
}

for (const value of [undefined, null, "ECONNREFUSED", 7, {}, { code: 7 }, new Error("ECONNREFUSED")]) {
  test(`E9 ${inspect(value).split("\n")[0]} without a code is other, whatever its text says`, () => {
    assert.deepEqual(translateError(value), { kind: "network", reason: "other" });
  });
}

test("E9 an error of undici's parser is protocol", () => {
  assert.equal(translateError(new errors.HTTPParserError("text")).reason, "protocol");
});

const HEADS: readonly (readonly [what: string, bytes: string, reason: string])[] = [
  ["is no HTTP", "SSH-2.0-OpenSSH marker-4711\r\n\r\n", "protocol"],
  [
    "has more than 16 KiB of headers",
    `HTTP/1.1 200 OK\r\nx: ${"marker-4711".repeat(2_000)}\r\n\r\n`,
    "protocol",
  ],
  ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx", "protocol"],
  [
    "switches protocols",
    "HTTP/1.1 101 marker-4711\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    "connection-reset",
  ],
  ["is empty", "", "connection-reset"],
];

for (const [what, bytes, reason] of HEADS) {
  test(`E9 an answer that ${what} fails as ${reason}, and nothing of it is kept`, async (t) => {
    const server = await startTcp(t, (socket) => {
      socket.once("data", () => socket.end(bytes));
    });
    const { send } = egressWorld(t);
    const refusal = refusalOf(await send(`http://127.0.0.1:${server.port}/`));
    assert.deepEqual(refusal, { kind: "network", reason });
    const error = new EgressError(refusal);
    assert.ok(!inspect(error, { depth: Infinity, showHidden: true }).includes("marker-4711"));
  });
}

test("E9 plain text where TLS was expected fails as tls", async (t) => {
  const server = await startTcp(t, (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const { send } = egressWorld(t);
  const outcome = await send(`https://127.0.0.1:${server.port}/`);
  assert.deepEqual(refusalOf(outcome), { kind: "network", reason: "tls" });
});
