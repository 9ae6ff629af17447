import { SIGN_IN_FLAGS } from "./sign-in-flags.ts";
import type { SignInFlag } from "./sign-in-flags.ts";
import { SERVE_FLAGS } from "./serve-flags.ts";
import type { ServeFlag } from "./serve-flags.ts";

/** What each verb takes besides the flags that every verb takes. */
export interface VerbShape {
  /** As it stands in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly operands: { readonly least: number; readonly most: number };
  readonly flags: readonly VerbFlag[];
}

export type VerbFlag =
  | "allow-env"
  | "allow-shell"
  | "arg"
  | "timeout"
  | "server-stderr"
  | "changes"
  | "pins"
  | SignInFlag
  | ServeFlag;

export type Verb =
  | "list"
  | "explain"
  | "approve"
  | "reject"
  | "revoke"
  | "trust"
  | "untrust"
  | "tools"
  | "accept"
  | "prompts"
  | "resources"
  | "skills"
  | "call"
  | "result"
  | "login"
  | "logout"
  | "auth"
  | "serve"
  | "audit";

const NONE = { least: 0, most: 0 };
const ONE = { least: 1, most: 1 };
const ANY = { least: 0, most: Number.POSITIVE_INFINITY };

export const VERBS: Readonly<Record<Verb, VerbShape>> = {
  list: {
    usage: "list",
    summary: "every configured server, where it comes from and whether it may be used",
    operands: NONE,
    flags: [],
  },
  explain: {
    usage: "explain NAME",
    summary: "why this entry won, what changed since its approval, what would be started or contacted",
    operands: ONE,
    flags: [],
  },
  approve: {
    usage: "approve NAME [--allow-env KEY …] [--allow-shell]",
    summary: "show what would be allowed, ask, and allow exactly that",
    operands: ONE,
    flags: ["allow-env", "allow-shell"],
  },
  reject: { usage: "reject NAME", summary: "say no to a server", operands: ONE, flags: [] },
  revoke: { usage: "revoke NAME", summary: "take an approval back", operands: ONE, flags: [] },
  trust: {
    usage: "trust",
    summary: "let servers of this workspace be approved at all",
    operands: NONE,
    flags: [],
  },
  untrust: {
    usage: "untrust",
    summary: "withdraw that trust, and with it every approval of this workspace",
    operands: NONE,
    flags: [],
  },
  tools: {
    usage: "tools [NAME …] [--changes] [--pins POLICY] [--server-stderr]",
    summary:
      "connect the approved servers and list their tools, or what changed of them since they were pinned",
    operands: ANY,
    flags: ["changes", "pins", "server-stderr"],
  },
  accept: {
    usage: "accept NAME [TOOL …] [--server-stderr]",
    summary: "show what changed of a server's tools, ask, and pin exactly that",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    flags: ["server-stderr"],
  },
  prompts: {
    usage: "prompts [NAME …] [--server-stderr]",
    summary: "the same for prompts",
    operands: ANY,
    flags: ["server-stderr"],
  },
  resources: {
    usage: "resources [NAME …] [--server-stderr]",
    summary: "the same for resources",
    operands: ANY,
    flags: ["server-stderr"],
  },
  skills: {
    usage: "skills NAME [URI] [--server-stderr]",
    summary: "list a server's skills, or print one of their files once its size and digest are verified",
    operands: { least: 1, most: 2 },
    flags: ["server-stderr"],
  },
  call: {
    usage: "call TOOL [JSON | -] [--arg KEY=VALUE …] [--timeout MS] [--pins POLICY] [--server-stderr]",
    summary: "call one tool once; `-` reads its arguments from standard input",
    operands: { least: 1, most: 2 },
    flags: ["arg", "timeout", "pins", "server-stderr"],
  },
  login: {
    usage:
      "login NAME [--no-browser | --print-url | --redirect-url URL | --client-credentials] [--client-id ID] [--client-secret-stdin | --private-key-stdin] [--scope SCOPE …] [--callback-port PORT]",
    summary:
      "sign in to a server: with a browser, in two steps (`--print-url`, then `--redirect-url`; `-` reads the URL from standard input), or without a person (`--client-credentials`)",
    operands: ONE,
    flags: SIGN_IN_FLAGS,
  },
  logout: {
    usage: "logout NAME",
    summary: "forget the sign-in to a server, and have its tokens revoked",
    operands: ONE,
    flags: [],
  },
  auth: { usage: "auth", summary: "one word for each server's sign-in", operands: NONE, flags: [] },
  result: {
    usage: "result REF",
    summary: "print a result that was too large for `call`, whole",
    operands: ONE,
    flags: [],
  },
  serve: {
    usage:
      "serve [--http [--port N] [--token-file FILE] | --public-url URL --issuer URL --scope SCOPE … (--subject SUB … | --client ID …) [--listen ADDR:PORT] [--trusted-proxy ADDR …]] [--pins POLICY] [--server-stderr]",
    summary:
      "put every approved server behind one MCP endpoint: on standard input and output, on 127.0.0.1, or for the world behind an issuer's tokens",
    operands: NONE,
    flags: [...SERVE_FLAGS, "pins", "server-stderr"],
  },
  audit: { usage: "audit", summary: "every decision so far, newest last", operands: NONE, flags: [] },
};

export function isVerb(word: string): word is Verb {
  return Object.hasOwn(VERBS, word);
}
