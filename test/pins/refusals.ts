import type { Refusal } from "../../src/domain/refusal.ts";

type OfKind<Kind extends Refusal["kind"]> = Extract<Refusal, { readonly kind: Kind }>;

/** One refusal of every kind and reason there is: one that is missing, or that is not there any more, does not compile. */
export type RefusalTable = {
  readonly [Kind in Refusal["kind"]]: {
    readonly [Reason in OfKind<Kind>["reason"]]: OfKind<Kind> & { readonly reason: Reason };
  };
};

/** Stands in for every name in a refusal: no sentence may quote it raw. */
export const HOSTILE_NAME = "x\n\u001b[31m\u202ey";

const source = { kind: "source", source: "managed", origin: "/etc/mcp.json" } as const;
const definition = { kind: "definition", path: "env", expected: "a string" } as const;
const activation = { kind: "activation", serverId: "files" } as const;
const decision = { kind: "activation-decision", serverId: "files" } as const;
const host = { kind: "host", serverId: "files" } as const;
const http = { kind: "http-admission", serverId: "files" } as const;
const auth = { kind: "auth", serverId: "files" } as const;
const skill = { kind: "skill", serverId: "files" } as const;
const elicitation = { kind: "elicitation", serverId: "files" } as const;
const session = { kind: "session", serverId: "files", stage: "call" } as const;

export const REFUSALS: RefusalTable = {
  source: {
    "unreadable-file": { ...source, reason: "unreadable-file" },
    "file-too-large": { ...source, reason: "file-too-large" },
    "not-utf8": { ...source, reason: "not-utf8" },
    "invalid-syntax": { ...source, reason: "invalid-syntax", line: 3, column: 7 },
    "nested-too-deep": { ...source, reason: "nested-too-deep" },
    "root-not-object": { ...source, reason: "root-not-object" },
    "servers-missing": { ...source, reason: "servers-missing" },
    "servers-not-object": { ...source, reason: "servers-not-object" },
    "servers-duplicated": { ...source, reason: "servers-duplicated" },
    "too-many-servers": { ...source, reason: "too-many-servers" },
  },
  definition: {
    "invalid-name": { ...definition, reason: "invalid-name" },
    "duplicate-key": { ...definition, reason: "duplicate-key" },
    "not-object": { ...definition, reason: "not-object" },
    "missing-field": { ...definition, reason: "missing-field" },
    "invalid-type": { ...definition, reason: "invalid-type" },
    "invalid-value": { ...definition, reason: "invalid-value" },
    "too-long": { ...definition, reason: "too-long" },
    "too-many": { ...definition, reason: "too-many" },
    "out-of-range": { ...definition, reason: "out-of-range" },
    "wrong-transport-field": { ...definition, reason: "wrong-transport-field" },
    "ambiguous-transport": { ...definition, reason: "ambiguous-transport" },
    "unknown-transport": { ...definition, reason: "unknown-transport" },
    "secret-in-configuration": { ...definition, reason: "secret-in-configuration" },
    "template-not-allowed": { ...definition, reason: "template-not-allowed" },
    "conflicting-fields": { ...definition, reason: "conflicting-fields" },
  },
  blocked: {
    "managed-unreadable": {
      kind: "blocked",
      reason: "managed-unreadable",
      cause: { ...source, reason: "not-utf8" },
    },
  },
  overlay: {
    "unknown-server": { kind: "overlay", reason: "unknown-server", name: "files", knownNames: ["web"] },
  },
  activation: {
    pending: { ...activation, reason: "pending" },
    stale: { ...activation, reason: "stale" },
    rejected: { ...activation, reason: "rejected" },
    revoked: { ...activation, reason: "revoked" },
    untrusted: { ...activation, reason: "untrusted" },
  },
  "activation-decision": {
    untrusted: { ...decision, reason: "untrusted" },
    "workspace-changed": { ...decision, reason: "workspace-changed" },
  },
  store: {
    "store-failed": { kind: "store", reason: "store-failed" },
    "store-corrupt": { kind: "store", reason: "store-corrupt" },
    "store-too-new": { kind: "store", reason: "store-too-new" },
    "store-insecure": { kind: "store", reason: "store-insecure" },
    "store-full": { kind: "store", reason: "store-full" },
    "lock-timeout": { kind: "store", reason: "lock-timeout" },
    "workspace-missing": { kind: "store", reason: "workspace-missing" },
  },
  home: {
    "home-not-absolute": { kind: "home", reason: "home-not-absolute" },
    "home-in-workspace": { kind: "home", reason: "home-in-workspace" },
    "home-unusable": { kind: "home", reason: "home-unusable" },
    "settings-invalid": { kind: "home", reason: "settings-invalid" },
  },
  host: {
    "unknown-server": { ...host, reason: "unknown-server" },
    unresolved: { ...host, reason: "unresolved" },
    disabled: { ...host, reason: "disabled" },
    "unset-variable": { ...host, reason: "unset-variable", keys: ["TOKEN"] },
    "no-workspace": { ...host, reason: "no-workspace" },
    "executable-not-found": { ...host, reason: "executable-not-found" },
    "cwd-not-found": { ...host, reason: "cwd-not-found" },
    "needs-allow-env": { ...host, reason: "needs-allow-env", keys: ["NODE_OPTIONS"] },
    "needs-allow-shell": { ...host, reason: "needs-allow-shell" },
    "program-hidden": { ...host, reason: "program-hidden" },
    "env-key-not-defined": { ...host, reason: "env-key-not-defined", keys: ["A"] },
    "changed-meanwhile": { ...host, reason: "changed-meanwhile" },
    "no-sign-in": { ...host, reason: "no-sign-in" },
    closed: { ...host, reason: "closed" },
  },
  "http-admission": {
    "sse-transport": { ...http, reason: "sse-transport" },
    "websocket-transport": { ...http, reason: "websocket-transport" },
    disabled: { ...http, reason: "disabled" },
    "unset-variable": { ...http, reason: "unset-variable", variable: "TOKEN" },
    "sign-in-unavailable": { ...http, reason: "sign-in-unavailable" },
    "headers-helper-unavailable": { ...http, reason: "headers-helper-unavailable" },
    "authenticator-mismatch": { ...http, reason: "authenticator-mismatch" },
    "reserved-header": { ...http, reason: "reserved-header", position: 2 },
    "invalid-header-name": { ...http, reason: "invalid-header-name", position: 2 },
    "invalid-header-value": { ...http, reason: "invalid-header-value", position: 2 },
    "duplicate-header": { ...http, reason: "duplicate-header", position: 2 },
    "too-many-headers": { ...http, reason: "too-many-headers" },
  },
  egress: {
    "unsupported-scheme": { kind: "egress", reason: "unsupported-scheme" },
    "insecure-scheme": { kind: "egress", reason: "insecure-scheme" },
    userinfo: { kind: "egress", reason: "userinfo" },
    "invalid-url": { kind: "egress", reason: "invalid-url" },
    "private-address": { kind: "egress", reason: "private-address" },
    "metadata-address": { kind: "egress", reason: "metadata-address" },
    unresolvable: { kind: "egress", reason: "unresolvable" },
    redirect: {
      kind: "egress",
      reason: "redirect",
      status: 302,
      fromOrigin: "https://a.example",
      toOrigin: "https://b.example",
    },
    "endpoint-mismatch": { kind: "egress", reason: "endpoint-mismatch" },
    "response-too-large": { kind: "egress", reason: "response-too-large" },
    timeout: { kind: "egress", reason: "timeout" },
    closed: { kind: "egress", reason: "closed" },
  },
  network: {
    "connection-refused": { kind: "network", reason: "connection-refused" },
    "connection-reset": { kind: "network", reason: "connection-reset" },
    tls: { kind: "network", reason: "tls" },
    unreachable: { kind: "network", reason: "unreachable" },
    protocol: { kind: "network", reason: "protocol" },
    other: { kind: "network", reason: "other" },
  },
  stdio: {
    "definition-identity": { kind: "stdio", reason: "definition-identity", detail: "other-subject" },
    activation: { kind: "stdio", reason: "activation", detail: "revoked" },
    authority: { kind: "stdio", reason: "authority", detail: "executable-changed" },
    cwd: { kind: "stdio", reason: "cwd", detail: "symlink-escape" },
    environment: { kind: "stdio", reason: "environment", detail: "code-changing", key: "NODE_OPTIONS" },
    "invalid-input": { kind: "stdio", reason: "invalid-input", detail: "not-stdio" },
    start: { kind: "stdio", reason: "start", detail: "no-resources" },
    "early-exit": { kind: "stdio", reason: "early-exit", detail: "exited", exitCode: 1 },
    send: { kind: "stdio", reason: "send", detail: "pipe-broken" },
    cancelled: { kind: "stdio", reason: "cancelled", detail: "by-request" },
    cleanup: { kind: "stdio", reason: "cleanup", detail: "survivors" },
    "receive-limit": { kind: "stdio", reason: "receive-limit", detail: "frame" },
    "receive-invalid": { kind: "stdio", reason: "receive-invalid", detail: "junk-lines" },
  },
  auth: {
    "sign-in-required": { ...auth, reason: "sign-in-required" },
    "step-up-required": { ...auth, reason: "step-up-required", status: 403, scopes: ["tools:write"] },
    "step-up-limit": { ...auth, reason: "step-up-limit" },
    rejected: { ...auth, reason: "rejected", status: 401 },
    "resource-metadata-missing": { ...auth, reason: "resource-metadata-missing" },
    "resource-metadata-invalid": { ...auth, reason: "resource-metadata-invalid" },
    "resource-mismatch": { ...auth, reason: "resource-mismatch" },
    "resource-metadata-origin": { ...auth, reason: "resource-metadata-origin" },
    "authorization-server-missing": { ...auth, reason: "authorization-server-missing" },
    "server-metadata-missing": { ...auth, reason: "server-metadata-missing" },
    "server-metadata-invalid": { ...auth, reason: "server-metadata-invalid", field: "token_endpoint" },
    "issuer-mismatch": { ...auth, reason: "issuer-mismatch" },
    "issuer-not-pinned": { ...auth, reason: "issuer-not-pinned" },
    "endpoint-insecure": { ...auth, reason: "endpoint-insecure" },
    "pkce-unsupported": { ...auth, reason: "pkce-unsupported" },
    "registration-unavailable": { ...auth, reason: "registration-unavailable" },
    "registration-failed": { ...auth, reason: "registration-failed" },
    "registration-redirect-mismatch": { ...auth, reason: "registration-redirect-mismatch" },
    "invalid-client": { ...auth, reason: "invalid-client" },
    "redirect-mismatch": { ...auth, reason: "redirect-mismatch" },
    "state-mismatch": { ...auth, reason: "state-mismatch" },
    "issuer-missing": { ...auth, reason: "issuer-missing" },
    "authorization-denied": { ...auth, reason: "authorization-denied" },
    "authorization-failed": { ...auth, reason: "authorization-failed" },
    "code-missing": { ...auth, reason: "code-missing" },
    "sign-in-timeout": { ...auth, reason: "sign-in-timeout" },
    "sign-in-cancelled": { ...auth, reason: "sign-in-cancelled" },
    "callback-port-taken": { ...auth, reason: "callback-port-taken" },
    "pending-missing": { ...auth, reason: "pending-missing" },
    "pending-expired": { ...auth, reason: "pending-expired" },
    "pending-used": { ...auth, reason: "pending-used" },
    "token-response-invalid": { ...auth, reason: "token-response-invalid" },
    "token-refused": { ...auth, reason: "token-refused" },
    "grant-refused": { ...auth, reason: "grant-refused" },
    "refresh-impossible": { ...auth, reason: "refresh-impossible" },
    "helper-not-allowed": { ...auth, reason: "helper-not-allowed" },
    "helper-untrusted": { ...auth, reason: "helper-untrusted" },
    "helper-failed": { ...auth, reason: "helper-failed" },
    "helper-timeout": { ...auth, reason: "helper-timeout" },
    "helper-output-too-large": { ...auth, reason: "helper-output-too-large" },
    "helper-output-invalid": { ...auth, reason: "helper-output-invalid" },
    "helper-header-refused": { ...auth, reason: "helper-header-refused" },
    "lock-timeout": { ...auth, reason: "lock-timeout" },
    "store-failed": { ...auth, reason: "store-failed" },
    "store-unavailable": { ...auth, reason: "store-unavailable" },
    "settings-invalid": { ...auth, reason: "settings-invalid" },
    unreachable: { ...auth, reason: "unreachable" },
  },
  session: {
    "version-unsupported": { ...session, reason: "version-unsupported", revision: "2026-07-28" },
    "invalid-response": { ...session, reason: "invalid-response" },
    "response-too-large": { ...session, reason: "response-too-large" },
    "response-lost": { ...session, reason: "response-lost" },
    timeout: { ...session, reason: "timeout", ended: "timeout", limitMs: 30_000 },
    "outcome-unknown": { ...session, reason: "outcome-unknown", ended: "abort" },
    cancelled: { ...session, reason: "cancelled" },
    "connection-closed": { ...session, reason: "connection-closed" },
    "session-expired": { ...session, reason: "session-expired" },
    "http-status": { ...session, reason: "http-status", code: 503 },
    "auth-required": { ...session, reason: "auth-required", code: 401 },
    "protocol-error": { ...session, reason: "protocol-error", code: -32602 },
    "input-required": { ...session, reason: "input-required" },
    "not-supported": { ...session, reason: "not-supported" },
    "cursor-repeated": { ...session, reason: "cursor-repeated" },
    "list-limit": { ...session, reason: "list-limit" },
    closed: { ...session, reason: "closed" },
  },
  elicitation: {
    "url-mode": { ...elicitation, reason: "url-mode" },
    "form-malformed": { ...elicitation, reason: "form-malformed" },
    "form-too-large": { ...elicitation, reason: "form-too-large" },
    "round-malformed": { ...elicitation, reason: "round-malformed" },
    "round-too-large": { ...elicitation, reason: "round-too-large" },
    "answer-mismatch": { ...elicitation, reason: "answer-mismatch" },
    "ask-failed": { ...elicitation, reason: "ask-failed" },
    "sampling-asked": { ...elicitation, reason: "sampling-asked" },
    "roots-asked": { ...elicitation, reason: "roots-asked" },
    "too-many-rounds": { ...elicitation, reason: "too-many-rounds" },
  },
  "served-catalog": {
    "duplicate-tool": { kind: "served-catalog", reason: "duplicate-tool" },
    "submit-tool-name": { kind: "served-catalog", reason: "submit-tool-name" },
    "tools-unreadable": { kind: "served-catalog", reason: "tools-unreadable" },
  },
  skill: {
    unavailable: { ...skill, reason: "unavailable", missing: "extension" },
    "uri-refused": { ...skill, reason: "uri-refused" },
    "entry-refused": { ...skill, reason: "entry-refused", entry: "too-many-files" },
    "other-skill": { ...skill, reason: "other-skill" },
    "entry-foreign": { ...skill, reason: "entry-foreign" },
    "entry-stale": { ...skill, reason: "entry-stale" },
    "manifest-dynamic": { ...skill, reason: "manifest-dynamic" },
    "file-unlisted": { ...skill, reason: "file-unlisted" },
    "contents-malformed": { ...skill, reason: "contents-malformed" },
    "size-mismatch": { ...skill, reason: "size-mismatch" },
    "digest-mismatch": { ...skill, reason: "digest-mismatch" },
    "frontmatter-mismatch": { ...skill, reason: "frontmatter-mismatch" },
  },
  call: {
    "unknown-tool": { kind: "call", reason: "unknown-tool" },
    "headers-not-allowed": { kind: "call", reason: "headers-not-allowed" },
    "tool-held": { kind: "call", reason: "tool-held", hold: "definition-changed" },
    "invalid-arguments": {
      kind: "call",
      reason: "invalid-arguments",
      mismatches: [{ path: "/a", expected: "type number" }],
    },
  },
  result: {
    "too-large": { kind: "result", reason: "too-large", limitChars: 25_000 },
    "not-kept": { kind: "result", reason: "not-kept", store: "store-full" },
    "reference-malformed": { kind: "result", reason: "reference-malformed" },
    "reference-unknown": { kind: "result", reason: "reference-unknown" },
  },
  token: {
    malformed: { kind: "token", reason: "malformed" },
    type: { kind: "token", reason: "type" },
    algorithm: { kind: "token", reason: "algorithm" },
    "unknown-key": { kind: "token", reason: "unknown-key" },
    signature: { kind: "token", reason: "signature" },
    issuer: { kind: "token", reason: "issuer" },
    audience: { kind: "token", reason: "audience" },
    expired: { kind: "token", reason: "expired" },
    "not-yet-valid": { kind: "token", reason: "not-yet-valid" },
    claims: { kind: "token", reason: "claims" },
    principal: { kind: "token", reason: "principal" },
    "insufficient-scope": { kind: "token", reason: "insufficient-scope" },
    "keys-unavailable": { kind: "token", reason: "keys-unavailable" },
  },
};

/** The same refusals, with a name in them that a hostile configuration would choose. */
export function hostileRefusals(): readonly Refusal[] {
  return allRefusals().map((refusal) => ("serverId" in refusal ? hostile(refusal) : refusal));
}

function hostile<One extends Refusal & { readonly serverId: string }>(refusal: One): One {
  return { ...refusal, serverId: HOSTILE_NAME };
}

export function allRefusals(): readonly Refusal[] {
  return Object.values(REFUSALS).flatMap((ofKind): readonly Refusal[] => Object.values(ofKind));
}
