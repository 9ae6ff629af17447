import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";

import { CarrierError } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import { translateError } from "../../../../src/adapters/mcp-sdk/errors.ts";
import type { SessionReason } from "../../../../src/domain/session/refusal.ts";
import { asking, connectedFake, settle } from "../../../kit/fake-sessions.ts";

const AT = { serverId: "s", stage: "call" } as const;
const SECRET = "https://user:hunter2@example.com/?token=abc";

const CODES: Readonly<Record<SdkErrorCode, SessionReason>> = {
  [SdkErrorCode.NotConnected]: "connection-closed",
  [SdkErrorCode.AlreadyConnected]: "protocol-error",
  [SdkErrorCode.NotInitialized]: "connection-closed",
  [SdkErrorCode.CapabilityNotSupported]: "not-supported",
  [SdkErrorCode.RequestTimeout]: "timeout",
  [SdkErrorCode.ConnectionClosed]: "connection-closed",
  [SdkErrorCode.SendFailed]: "connection-closed",
  [SdkErrorCode.InvalidResult]: "invalid-response",
  [SdkErrorCode.UnsupportedResultType]: "not-supported",
  [SdkErrorCode.InputRequiredRoundsExceeded]: "not-supported",
  [SdkErrorCode.ListPaginationExceeded]: "invalid-response",
  [SdkErrorCode.MethodNotSupportedByProtocolVersion]: "not-supported",
  [SdkErrorCode.EraNegotiationFailed]: "version-unsupported",
  [SdkErrorCode.ClientHttpNotImplemented]: "protocol-error",
  [SdkErrorCode.ClientHttpAuthentication]: "protocol-error",
  [SdkErrorCode.ClientHttpForbidden]: "protocol-error",
  [SdkErrorCode.ClientHttpUnexpectedContent]: "protocol-error",
  [SdkErrorCode.ClientHttpFailedToOpenStream]: "protocol-error",
  [SdkErrorCode.ClientHttpFailedToTerminateSession]: "protocol-error",
};

for (const code of Object.values(SdkErrorCode)) {
  test(`C10 the client's ${code} becomes ${CODES[code]}, and its words stay here`, () => {
    const failure = translateError(new SdkError(code, SECRET, { SECRET }), {
      ...AT,
      closeFailure: undefined,
    });

    assert.deepEqual(failure, { refusal: { kind: "session", reason: CODES[code], ...AT } });
  });
}

for (const [error, refusal] of [
  [
    new UnsupportedProtocolVersionError({ supported: [], requested: SECRET }),
    { reason: "version-unsupported" },
  ],
  [new UnauthorizedError(SECRET), { reason: "auth-required" }],
  [http(401), { reason: "auth-required", code: 401 }],
  [http(503), { reason: "http-status", code: 503 }],
  [new TypeError(SECRET), { reason: "protocol-error" }],
  [SECRET, { reason: "protocol-error" }],
  [
    new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET, undefined, { cause: new Error(SECRET) }),
    { reason: "connection-closed" },
  ],
] as const) {
  const name = error instanceof Error ? error.constructor.name : typeof error;
  test(`C10 ${name} becomes ${refusal.reason}, and its words stay here`, () => {
    const failure = translateError(error, { ...AT, closeFailure: undefined });

    assert.deepEqual(failure, { refusal: { kind: "session", ...AT, ...refusal } });
  });
}

function http(status: number): SdkHttpError {
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, SECRET, {
    status,
    statusText: SECRET,
    text: SECRET,
  });
}

test("C10 only a protocol error's own words travel, marked untrusted", () => {
  const failure = translateError(new ProtocolError(-32_000, "the server's words", { SECRET }), {
    ...AT,
    closeFailure: undefined,
  });

  assert.deepEqual(failure, {
    refusal: { kind: "session", reason: "protocol-error", code: -32_000, ...AT },
    untrusted: { message: "the server's words", code: -32_000 },
  });
});

test("C10 a carrier's refusal is found as the cause of the client's own error", () => {
  const cause = new CarrierError({ refusal: { kind: "egress", reason: "redirect" } });
  const error = new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET, undefined, { cause });

  assert.deepEqual(translateError(error, { ...AT, closeFailure: undefined }), cause.failure);
});

for (const error of [
  new Error("Not connected"),
  new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"),
  new SdkError(SdkErrorCode.EraNegotiationFailed, "closed", undefined, { cause: new Error("closed") }),
]) {
  test(`C10 ${error.message}: what ended the connection says why`, () => {
    const closeFailure = { refusal: { kind: "stdio", reason: "early-exit" } } as const;

    assert.deepEqual(translateError(error, { ...AT, closeFailure }), closeFailure);
  });
}

test("C10 a connection that ends without a reason is told as closed, to its requests and its session", async () => {
  const { peer, carrier } = await connectedFake("legacy", () => undefined);
  const asked = peer.request("tools/list", {}, asking({ stage: "list-tools" }));
  await settle();

  carrier.onclose?.();

  const answer = await asked;
  assert.equal(!answer.ok && answer.refusal.refusal.reason, "connection-closed");
  assert.equal((await peer.closed).refusal.reason, "connection-closed");
});
