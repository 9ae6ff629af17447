import assert from "node:assert/strict";
import { test } from "node:test";

import { AUDIT_ACTIONS, type AuditEvent } from "../../src/domain/activation/audit-event.ts";
import { decodeAuditLine, encodeAuditEvent } from "../../src/domain/activation/audit-line.ts";
import { DEFINITION_SOURCES } from "../../src/domain/definition/definition.ts";
import { ENTRY_KEYS } from "../../src/domain/definition/entry-keys.ts";
import { POSIX_BASE_NAMES, WINDOWS_BASE_NAMES } from "../../src/domain/launch/base-environment.ts";
import { EXIT_CODES } from "../../src/composition/cli/exit-code.ts";
import { SESSION_DEFAULTS } from "../../src/composition/open-session.ts";

test("A6 the actions of the audit log are the pinned ones", () => {
  assert.deepEqual(AUDIT_ACTIONS.toSorted(), [
    "accept",
    "admission-refused",
    "approve",
    "connection-closed",
    "reject",
    "request-refused",
    "revoke",
    "sign-in",
    "sign-in-refused",
    "sign-out",
    "trust",
    "untrust",
  ]);
});

/** Every field, required here: one that is added, renamed or dropped does not compile or does not pass. */
const WHOLE_EVENT: Required<AuditEvent> = {
  action: "approve",
  atMs: 1_800_000_000_000,
  serverId: "files",
  source: "project",
  fingerprint: "a".repeat(64),
  securityIdentity: "b".repeat(64),
  repositoryIdentity: "c".repeat(64),
  generation: 3,
  authority: "user",
  reason: "stdio/authority",
};

test("A6 an audit event has exactly the pinned fields, and the log keeps every one", () => {
  assert.deepEqual(Object.keys(WHOLE_EVENT).toSorted(), [
    "action",
    "atMs",
    "authority",
    "fingerprint",
    "generation",
    "reason",
    "repositoryIdentity",
    "securityIdentity",
    "serverId",
    "source",
  ]);
  assert.deepEqual(decodeAuditLine(encodeAuditEvent(WHOLE_EVENT)), WHOLE_EVENT);
});

for (const field of ["endpoint", "url", "header", "args", "token", "message", "cause"]) {
  test(`A6 an audit event with a field \`${field}\` is not written`, () => {
    assert.throws(() => encodeAuditEvent(Object.assign({ ...WHOLE_EVENT }, { [field]: "x" })), {
      code: "audit-event-invalid",
    });
  });
}

test("M3 a child's base environment has exactly the pinned names", () => {
  assert.deepEqual(POSIX_BASE_NAMES, [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TERM",
    "TMPDIR",
    "TZ",
  ]);
  assert.deepEqual(WINDOWS_BASE_NAMES.toSorted(), [
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TZ",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
  ]);
});

test("D5 the keys that an entry is read for are the pinned ones", () => {
  assert.deepEqual([...ENTRY_KEYS].toSorted(), [
    "args",
    "command",
    "cwd",
    "disabled",
    "enabled",
    "env",
    "headers",
    "headersHelper",
    "oauth",
    "protocolVersion",
    "skills",
    "timeout",
    "tools",
    "type",
    "url",
  ]);
});

test("D11 the sources are the pinned ones, strongest first", () => {
  assert.deepEqual(DEFINITION_SOURCES, ["managed", "local", "project", "user", "plugin"]);
});

test("M5 the exit codes are the pinned ones", () => {
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

test("C7b the defaults of a session are the pinned ones", () => {
  assert.deepEqual(SESSION_DEFAULTS, {
    clientInfo: { name: "mcp-client", version: "1.0.0" },
    startupMs: 30_000,
    perCallMs: 30_000,
    toolCallMs: 60_000,
    maxTotalFactor: 10,
    probeTimeoutMs: 10_000,
    limits: { pages: 50, entries: 10_000, bytes: 16 * 1024 * 1024 },
  });
});
