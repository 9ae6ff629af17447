import assert from "node:assert/strict";
import { test } from "node:test";

import { EXIT_CODES, exitCodeOf, worstOf } from "../../src/composition/cli/exit-code.ts";
import { REFUSALS, type RefusalTable } from "./refusals.ts";

/** The code of every kind and reason: a new one does not compile until somebody decides its code. */
type Codes = {
  readonly [Kind in keyof RefusalTable]: number | { readonly [Reason in keyof RefusalTable[Kind]]: number };
};

const CODES: Codes = {
  source: 2,
  definition: 2,
  blocked: 2,
  overlay: 2,
  home: 2,
  call: { "unknown-tool": 2, "tool-held": 6, "invalid-arguments": 2, "headers-not-allowed": 6 },
  result: { "too-large": 1, "not-kept": 1, "reference-malformed": 2, "reference-unknown": 2 },
  activation: 6,
  "activation-decision": 6,
  network: 4,
  "served-catalog": 1,
  token: {
    malformed: 6,
    type: 6,
    algorithm: 6,
    "unknown-key": 6,
    signature: 6,
    issuer: 6,
    audience: 6,
    expired: 6,
    "not-yet-valid": 6,
    claims: 6,
    principal: 6,
    "insufficient-scope": 6,
    "keys-unavailable": 4,
  },
  store: {
    "store-failed": 1,
    "store-corrupt": 2,
    "store-too-new": 2,
    "store-insecure": 6,
    "store-full": 1,
    "lock-timeout": 1,
    "workspace-missing": 2,
  },
  host: {
    "unknown-server": 2,
    unresolved: 2,
    disabled: 2,
    "unset-variable": 2,
    "no-workspace": 2,
    "executable-not-found": 2,
    "cwd-not-found": 2,
    "needs-allow-env": 6,
    "needs-allow-shell": 6,
    "program-hidden": 2,
    "env-key-not-defined": 2,
    "changed-meanwhile": 6,
    "no-sign-in": 2,
    closed: 1,
  },
  "http-admission": {
    "sse-transport": 6,
    "websocket-transport": 6,
    disabled: 2,
    "unset-variable": 2,
    "sign-in-unavailable": 3,
    "headers-helper-unavailable": 6,
    "authenticator-mismatch": 1,
    "reserved-header": 2,
    "invalid-header-name": 2,
    "invalid-header-value": 2,
    "duplicate-header": 2,
    "too-many-headers": 2,
  },
  egress: {
    "unsupported-scheme": 2,
    "insecure-scheme": 6,
    userinfo: 6,
    "invalid-url": 2,
    "private-address": 6,
    "metadata-address": 6,
    unresolvable: 4,
    redirect: 6,
    "endpoint-mismatch": 6,
    "response-too-large": 4,
    timeout: 4,
    closed: 1,
  },
  stdio: {
    "definition-identity": 6,
    activation: 6,
    authority: 6,
    cwd: 6,
    environment: 6,
    "invalid-input": 2,
    start: 4,
    "early-exit": 4,
    send: 4,
    cancelled: 1,
    cleanup: 1,
    "receive-limit": 4,
    "receive-invalid": 4,
  },
  auth: {
    "sign-in-required": 3,
    "step-up-required": 3,
    "step-up-limit": 3,
    rejected: 3,
    "resource-metadata-missing": 4,
    "resource-metadata-invalid": 4,
    "resource-mismatch": 6,
    "resource-metadata-origin": 6,
    "authorization-server-missing": 4,
    "server-metadata-missing": 4,
    "server-metadata-invalid": 4,
    "issuer-mismatch": 6,
    "issuer-not-pinned": 6,
    "endpoint-insecure": 6,
    "pkce-unsupported": 6,
    "registration-unavailable": 2,
    "registration-failed": 2,
    "registration-redirect-mismatch": 6,
    "invalid-client": 2,
    "redirect-mismatch": 6,
    "state-mismatch": 6,
    "issuer-missing": 6,
    "authorization-denied": 6,
    "authorization-failed": 4,
    "code-missing": 3,
    "sign-in-timeout": 3,
    "sign-in-cancelled": 3,
    "callback-port-taken": 2,
    "pending-missing": 3,
    "pending-expired": 3,
    "pending-used": 3,
    "token-response-invalid": 4,
    "token-refused": 3,
    "grant-refused": 3,
    "refresh-impossible": 3,
    "helper-not-allowed": 6,
    "helper-untrusted": 6,
    "helper-failed": 4,
    "helper-timeout": 4,
    "helper-output-too-large": 2,
    "helper-output-invalid": 2,
    "helper-header-refused": 2,
    "lock-timeout": 1,
    "store-failed": 1,
    "store-unavailable": 1,
    "settings-invalid": 2,
    unreachable: 4,
  },
  skill: {
    unavailable: 2,
    "uri-refused": 2,
    "entry-refused": 6,
    "other-skill": 4,
    "entry-foreign": 1,
    "entry-stale": 1,
    "manifest-dynamic": 6,
    "file-unlisted": 2,
    "contents-malformed": 4,
    "size-mismatch": 6,
    "digest-mismatch": 6,
    "frontmatter-mismatch": 6,
  },
  elicitation: 5,
  session: {
    "version-unsupported": 4,
    "invalid-response": 4,
    "response-too-large": 4,
    "response-lost": 4,
    timeout: 4,
    // The table's was aborted; see below for the one that ran out of time.
    "outcome-unknown": 1,
    cancelled: 1,
    "connection-closed": 4,
    "session-expired": 4,
    "http-status": 4,
    "auth-required": 3,
    // The table's session refusals are of a call.
    "protocol-error": 5,
    "input-required": 5,
    "not-supported": 4,
    "cursor-repeated": 4,
    "list-limit": 4,
    closed: 1,
  },
};

for (const [kind, ofKind] of Object.entries(REFUSALS)) {
  test(`M5 every refusal of ${kind} ends a command with its pinned code`, () => {
    const codes: number | Readonly<Record<string, number>> = CODES[kind as keyof Codes];
    for (const [reason, refusal] of Object.entries(ofKind)) {
      assert.equal(exitCodeOf(refusal), typeof codes === "number" ? codes : codes[reason], reason);
    }
  });
}

test("M5 the codes are the seven of the contract", () => {
  assert.deepEqual(EXIT_CODES, {
    done: 0,
    unexpected: 1,
    usage: 2,
    signIn: 3,
    unreachable: 4,
    toolFailed: 5,
    denied: 6,
  });
});

test("M5 a protocol error is the tool's failure in a call and the server's anywhere else", () => {
  const error = { kind: "session", reason: "protocol-error", serverId: "a" } as const;

  assert.equal(exitCodeOf({ ...error, stage: "call" }), 5);
  assert.equal(exitCodeOf({ ...error, stage: "list-tools" }), 4);
});

test("C8 a call whose outcome is unknown is unexpected when it was aborted, unreachable when it ran out of time", () => {
  const unknown = { kind: "session", reason: "outcome-unknown", serverId: "a", stage: "call" } as const;

  assert.equal(exitCodeOf({ ...unknown, ended: "abort" }), 1);
  assert.equal(exitCodeOf({ ...unknown, ended: "timeout", limitMs: 1 }), 4);
});

test("M5 of several failures the least foreseen and the one that needs a person come first", () => {
  assert.equal(worstOf([]), 0);
  assert.equal(worstOf([0, 0]), 0);
  assert.equal(worstOf([0, 4, 0]), 4);
  assert.equal(worstOf([4, 2]), 2);
  assert.equal(worstOf([2, 3, 4]), 3);
  assert.equal(worstOf([3, 6, 2, 4]), 6);
  assert.equal(worstOf([6, 1, 3]), 1);
});
