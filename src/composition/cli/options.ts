import { SERVE_FLAGS } from "./serve-flags.ts";
import { SIGN_IN_FLAGS } from "./sign-in-flags.ts";

/** How each flag is written; which verb takes it is said with the verbs. */
export const OPTIONS = {
  workspace: { type: "string" },
  home: { type: "string" },
  config: { type: "string", multiple: true },
  json: { type: "boolean" },
  yes: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
  "allow-env": { type: "string", multiple: true },
  "allow-shell": { type: "boolean" },
  arg: { type: "string", multiple: true },
  timeout: { type: "string" },
  "server-stderr": { type: "boolean" },
  changes: { type: "boolean" },
  pins: { type: "string" },
  "no-browser": { type: "boolean" },
  "print-url": { type: "boolean" },
  "redirect-url": { type: "string" },
  "client-credentials": { type: "boolean" },
  "client-id": { type: "string" },
  "client-secret-stdin": { type: "boolean" },
  "private-key-stdin": { type: "boolean" },
  scope: { type: "string", multiple: true },
  "callback-port": { type: "string" },
  http: { type: "boolean" },
  port: { type: "string" },
  "token-file": { type: "string" },
  "public-url": { type: "string" },
  issuer: { type: "string" },
  subject: { type: "string", multiple: true },
  client: { type: "string", multiple: true },
  listen: { type: "string" },
  "trusted-proxy": { type: "string", multiple: true },
} as const;

export type OptionName = keyof typeof OPTIONS;

/** Flags that belong to some verbs only; every other flag goes with every verb. */
export const VERB_FLAGS: ReadonlySet<OptionName> = new Set([
  "allow-env",
  "allow-shell",
  "arg",
  "timeout",
  "server-stderr",
  "changes",
  "pins",
  ...SIGN_IN_FLAGS,
  ...SERVE_FLAGS,
]);
