import { parseScopeText, unionScopes } from "../../domain/oauth/scopes.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";

/** How `serve` is reached, checked: what does not go together never gets further than here. */
export type ServeFlags =
  | { readonly over: "stdio" }
  | { readonly over: "loopback"; readonly port: number; readonly tokenFile?: string }
  | {
      readonly over: "remote";
      readonly publicUrl: string;
      readonly issuer: string;
      readonly scopes: readonly string[];
      readonly subjects: readonly string[];
      readonly clients: readonly string[];
      readonly listen: { readonly address: string; readonly port: number };
      readonly trustedProxies: readonly string[];
    };

export const SERVE_FLAGS = [
  "http",
  "port",
  "token-file",
  "public-url",
  "issuer",
  "scope",
  "subject",
  "client",
  "listen",
  "trusted-proxy",
] as const;

export type ServeFlag = (typeof SERVE_FLAGS)[number];

type Given = ReadonlyMap<string, readonly string[]>;

const OF_LOOPBACK: readonly ServeFlag[] = ["port", "token-file"];
const OF_REMOTE: readonly ServeFlag[] = ["issuer", "scope", "subject", "client", "listen", "trusted-proxy"];
const LOOPBACK = { address: "127.0.0.1", port: 0 } as const;

/** Reads the flags of `serve`. The problem names flags and never a value. */
export function parseServeFlags(given: Given): Outcome<ServeFlags, string> {
  const isRemote = given.has("public-url");
  if (isRemote && given.has("http")) return refuse("--http and --public-url do not go together");
  const stray =
    (isRemote ? undefined : strayOf(OF_REMOTE, "public-url", given)) ??
    (given.has("http") ? undefined : strayOf(OF_LOOPBACK, "http", given));
  if (stray !== undefined) return refuse(stray);
  if (isRemote) return readRemote(given);
  return given.has("http") ? readLoopback(given) : accept({ over: "stdio" });
}

function strayOf(flags: readonly ServeFlag[], needed: ServeFlag, given: Given): string | undefined {
  const flag = flags.find((one) => given.has(one));
  return flag === undefined ? undefined : `--${flag} goes with --${needed}`;
}

function readLoopback(given: Given): Outcome<ServeFlags, string> {
  const [written] = given.get("port") ?? [];
  const port = written === undefined ? 0 : readPort(written);
  if (port === undefined) return refuse("--port takes a number from 0 to 65535; 0 is a free one");
  const [tokenFile] = given.get("token-file") ?? [];
  return accept({ over: "loopback", port, ...(tokenFile !== undefined && { tokenFile }) });
}

function readRemote(given: Given): Outcome<ServeFlags, string> {
  const [publicUrl = ""] = given.get("public-url") ?? [];
  const [issuer] = given.get("issuer") ?? [];
  if (issuer === undefined)
    return refuse("--public-url needs --issuer: who issues the tokens of its clients");
  const lists = (given.get("scope") ?? []).map((text) => parseScopeText(text) ?? []);
  if (lists.length === 0) return refuse("--public-url needs --scope: what a token has to allow");
  if (lists.some((list) => list.length === 0)) {
    return refuse("--scope takes scope tokens (RFC 6749), apart by blanks");
  }
  const subjects = given.get("subject") ?? [];
  const clients = given.get("client") ?? [];
  if (subjects.length + clients.length === 0) {
    return refuse("--public-url needs --subject or --client: whose tokens open it");
  }
  const [written] = given.get("listen") ?? [];
  const listen = written === undefined ? LOOPBACK : readListen(written);
  if (listen === undefined) {
    return refuse("--listen takes ADDRESS:PORT with a literal address; IPv6 stands in brackets");
  }
  return accept({
    over: "remote",
    publicUrl,
    issuer,
    scopes: unionScopes(...lists),
    subjects,
    clients,
    listen,
    trustedProxies: given.get("trusted-proxy") ?? [],
  });
}

function readListen(text: string): { readonly address: string; readonly port: number } | undefined {
  const [, six, four, digits = ""] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(text) ?? [];
  const address = six ?? four ?? "";
  const port = readPort(digits);
  return isLiteral(address, six !== undefined) && port !== undefined ? { address, port } : undefined;
}

/** By the URL parser: what judges addresses has a table and a library, and every command reads its flags. */
function isLiteral(address: string, isSix: boolean): boolean {
  if (isSix) return URL.canParse(`http://[${address}]/`);
  return URL.canParse(`http://${address}/`) && new URL(`http://${address}/`).hostname === address;
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  return port <= 65_535 ? port : undefined;
}
