import { parseScopeText, unionScopes } from "../../domain/oauth/scopes.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";

/** The flags of `login`, checked: what does not go together never gets further than here. */
export interface SignInFlags {
  readonly how:
    | { readonly step: "whole"; readonly browser: boolean }
    | { readonly step: "print-url" }
    /** `-`: on standard input, where no other user of the machine sees it. */
    | { readonly step: "redirect-url"; readonly url: string }
    | { readonly step: "unattended" };
  readonly clientId?: string;
  /** What standard input holds; absent: nothing is read. */
  readonly secret?: "client-secret" | "private-key";
  readonly scopes?: readonly string[];
  readonly callbackPort?: number;
}

export const SIGN_IN_FLAGS = [
  "no-browser",
  "print-url",
  "redirect-url",
  "client-credentials",
  "client-id",
  "client-secret-stdin",
  "private-key-stdin",
  "scope",
  "callback-port",
] as const;

export type SignInFlag = (typeof SIGN_IN_FLAGS)[number];

type Given = ReadonlyMap<string, readonly string[]>;

/** D6. */
const CLIENT_ID = /^[\x20-\x7e]{1,2048}$/;

/** Reads the flags of `login`. The problem names flags and never a value. */
export function parseSignInFlags(given: Given): Outcome<SignInFlags, string> {
  const clash = clashOf(given);
  if (clash !== undefined) return refuse(clash);
  const clientId = given.get("client-id")?.[0];
  if (clientId !== undefined && !CLIENT_ID.test(clientId)) {
    return refuse("--client-id takes 1 to 2048 printable ASCII characters");
  }
  const scopes = readScopes(given.get("scope"));
  if (scopes === "invalid") return refuse("--scope takes scope tokens (RFC 6749), apart by blanks");
  const port = given.get("callback-port")?.[0];
  const callbackPort = port === undefined ? undefined : readPort(port);
  if (callbackPort === "invalid") return refuse("--callback-port takes a number from 1 to 65535");
  const secret = secretOf(given);
  return accept({
    how: howOf(given),
    ...(clientId !== undefined && { clientId }),
    ...(secret !== undefined && { secret }),
    ...(scopes !== undefined && { scopes }),
    ...(callbackPort !== undefined && { callbackPort }),
  });
}

function howOf(given: Given): SignInFlags["how"] {
  const url = given.get("redirect-url")?.[0];
  if (url !== undefined) return { step: "redirect-url", url };
  if (given.has("print-url")) return { step: "print-url" };
  if (given.has("client-credentials")) return { step: "unattended" };
  return { step: "whole", browser: !given.has("no-browser") };
}

function secretOf(given: Given): SignInFlags["secret"] {
  if (given.has("client-secret-stdin")) return "client-secret";
  return given.has("private-key-stdin") ? "private-key" : undefined;
}

/** Each of these is another way to sign in, or something that only the first step can take. */
const APART: readonly (readonly SignInFlag[])[] = [
  ["no-browser", "print-url", "redirect-url", "client-credentials"],
  ["client-secret-stdin", "private-key-stdin"],
  ...(["client-id", "client-secret-stdin", "private-key-stdin", "scope", "callback-port"] as const).map(
    (flag) => ["redirect-url", flag] as const,
  ),
  ["client-credentials", "callback-port"],
];

function clashOf(given: Given): string | undefined {
  for (const group of APART) {
    const [first, second] = group.filter((flag) => given.has(flag));
    if (first !== undefined && second !== undefined) return `--${first} and --${second} do not go together`;
  }
  if (given.has("client-credentials") && secretOf(given) === undefined) {
    return "--client-credentials needs --client-secret-stdin or --private-key-stdin";
  }
  return undefined;
}

function readScopes(texts: readonly string[] | undefined): readonly string[] | undefined | "invalid" {
  if (texts === undefined) return undefined;
  const lists = texts.map((text) => parseScopeText(text));
  if (lists.some((list) => list === undefined || list.length === 0)) return "invalid";
  return unionScopes(...lists.flatMap((list) => (list === undefined ? [] : [list])));
}

function readPort(text: string): number | "invalid" {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : "invalid";
}
