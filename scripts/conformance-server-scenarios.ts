import type { Revision } from "./conformance-scenarios.ts";

const IN_BOTH = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "dns-rebinding-protection",
  "json-schema-2020-12",
] as const;

/** What a served session takes part in: each passes whole, warnings count. */
export const SERVED: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": ["server-initialize", "ping", ...IN_BOTH],
  "2026-07-28": [
    ...IN_BOTH,
    "server-stateless",
    "caching",
    "server-sse-multiple-streams",
    "http-header-validation",
    "input-required-result-request-state",
    "input-required-result-multi-round",
    "input-required-result-result-type",
    "input-required-result-missing-input-response",
    "input-required-result-validate-input",
    "input-required-result-tampered-state",
    "input-required-result-unsupported-methods",
  ],
};

/** Checks inside those that ask for what a session does not have. One that passes has to leave this list. */
export const UNMET: Readonly<Record<string, readonly string[]>> = {
  // A tool that wants a model of the client (R10).
  "server-stateless": [
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
  ],
  // Lists that are not served (R2).
  caching: [
    "sep-2549-prompts-list-caching-hints",
    "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints",
  ],
};

const NO_RESOURCES = "A session has tools; resources are not served (R2).";
const NO_PROMPTS = "A session has tools; prompts are not served (R2).";
const NO_SAMPLING = "A session asks a client for forms alone, never for a model or its roots (R10).";
const NO_LEGACY_ASK = "Over HTTP clients of earlier revisions are not asked (R10).";
const NO_LOGGING = "Nothing of a session is logged to a client.";
const NO_TASKS = "The tasks extension is not served.";

/** What the suite runs as well, and why it does not apply. */
export const NOT_SERVED: Readonly<Record<string, string>> = {
  "logging-set-level": NO_LOGGING,
  "tools-call-with-logging": NO_LOGGING,
  "completion-complete": NO_PROMPTS,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
  "input-required-result-non-tool-request": NO_PROMPTS,
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "sep-2164-resource-not-found": NO_RESOURCES,
  "tools-call-sampling": NO_SAMPLING,
  "input-required-result-basic-sampling": NO_SAMPLING,
  "input-required-result-basic-list-roots": NO_SAMPLING,
  "input-required-result-multiple-input-requests": NO_SAMPLING,
  "input-required-result-capability-check": NO_SAMPLING,
  "server-stateless":
    "Two of its checks need a tool that asks the client for a model (R10); the others pass.",
  "tools-call-elicitation": NO_LEGACY_ASK,
  "elicitation-sep1034-defaults": NO_LEGACY_ASK,
  "elicitation-sep1330-enums": NO_LEGACY_ASK,
  "input-required-result-basic-elicitation":
    "It wants a key of its own in the round; what keys a round has is the server's.",
  "input-required-result-ignore-extra-params": "It answers a question that was never put, without a state.",
  "2025-11-25 server-sse-multiple-streams": "Without a session id the suite checks nothing here (R8).",
  "server-session-lifecycle": "There are no sessions (R8).",
  "server-sse-polling": "There is no resumption (R8).",
  "http-custom-header-server-validation": "Pending: a session's tools mirror no arguments into headers.",
  "tasks-lifecycle": NO_TASKS,
  "tasks-capability-negotiation": NO_TASKS,
  "tasks-wire-fields": NO_TASKS,
  "tasks-request-state-removal": NO_TASKS,
  "tasks-mrtr-input": NO_TASKS,
  "tasks-request-headers": NO_TASKS,
  "tasks-dispatch-and-envelope": NO_TASKS,
  "tasks-status-notifications": NO_TASKS,
  "tasks-required-task-error": NO_TASKS,
  "tasks-mrtr-composition": NO_TASKS,
};
