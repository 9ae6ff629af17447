import { isJsonObject, type JsonObject } from "../json-value.ts";
import type { SessionStage } from "../session/refusal.ts";

/** A JSON-RPC message of a server: its outer form was looked at, its members are untrusted. */
export type WireMessage = JsonObject;

/** What one parsed JSON value is, seen from the exchange that received it. */
export type Incoming =
  | { readonly kind: "answer"; readonly message: WireMessage }
  /** A response, but to another request: it counts only on the stream of its own (H3b). */
  | { readonly kind: "foreign-answer" }
  /** A request or a notification of the server. */
  | { readonly kind: "server-message"; readonly message: WireMessage }
  | { readonly kind: "invalid" };

const INVALID: Incoming = { kind: "invalid" };

/**
 * Classifies what arrived on the stream of request `id`; `undefined` for a stream that belongs to none.
 *
 * Ids are compared exactly: `"7"` does not answer 7. An error that names no id is the answer of the exchange it
 * came in (JSON-RPC 2.0 section 5: the server could not read the id). An answer is rebuilt from the members
 * that the protocol knows: the SDK drops a response with any other, and its call would wait.
 */
export function classifyIncoming(value: unknown, id: string | number | undefined): Incoming {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return INVALID;
  if (typeof value["method"] === "string") return { kind: "server-message", message: value };
  const hasResult = isJsonObject(value["result"]);
  if (hasResult === isJsonObject(value["error"])) return INVALID;
  const answered = value["id"] ?? (hasResult ? undefined : id);
  if (typeof answered !== "string" && typeof answered !== "number") return INVALID;
  if (id === undefined || answered !== id) return { kind: "foreign-answer" };
  const body = hasResult ? { result: value["result"] } : { error: value["error"] };
  return { kind: "answer", message: { jsonrpc: "2.0", id, ...body } };
}

/** Methods that only read: after an expired session they may be sent once more (H3c). */
const REPEATABLE: ReadonlySet<string> = new Set([
  "ping",
  "tools/list",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
]);

/** Whether a request has no effect, so that sending it again after a lost session repeats none (H3c). */
export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}

const STAGES: ReadonlyMap<string, SessionStage> = new Map([
  ["initialize", "connect"],
  ["notifications/initialized", "connect"],
  ["server/discover", "connect"],
  ["ping", "connect"],
  // What it fails with is never a call's outcome: nothing was asked to be done.
  ["subscriptions/listen", "connect"],
  ["tools/list", "list-tools"],
  ["prompts/list", "list-prompts"],
  ["resources/list", "list-resources"],
  ["resources/templates/list", "list-resource-templates"],
  ["prompts/get", "get-prompt"],
  ["resources/read", "read-resource"],
  ["skills/list", "list-skills"],
  ["skills/get", "get-skill"],
]);

/** The stage that a request's failure is reported under; `call` for everything that is not one of the reads. */
export function stageOf(method: string): SessionStage {
  return STAGES.get(method) ?? "call";
}

/**
 * Statuses with which servers of the older era answer a request that they do not know, or that came before
 * `initialize`. Anything else (authorization, throttling, an outage) says nothing about the era.
 */
const OLDER_ERA_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 422]);

/**
 * Whether a bare status to `server/discover` is evidence of a server of the older era. Only then may `auto` go
 * on with `initialize`: a refusal for security reasons never leads to the other era (C7b).
 */
export function isOlderEraEvidence(method: string, status: number): boolean {
  return method === "server/discover" && OLDER_ERA_STATUSES.has(status);
}
