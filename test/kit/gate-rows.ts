import type { GateReason } from "../../src/domain/gate/gate-record.ts";

/**
 * One head. What is left out is right: POST, the path, one Host, no Origin, the bearer. `{port}`, `{token}` and `{host}`
 * stand for those of the listener.
 */
export interface GateRow {
  readonly what: string;
  readonly method?: string;
  readonly target?: string;
  readonly host?: readonly string[];
  readonly origin?: readonly string[];
  readonly authorization?: readonly string[];
  readonly extra?: readonly string[];
  readonly status: number;
  /** Left out: the request passes. */
  readonly reason?: GateReason;
  /** Not something that can be put on a socket: the parser takes it off, or turns it away itself. */
  readonly notOnWire?: true;
}

type Row = GateRow;

/** How a row ends. */
export type Verdict = Pick<GateRow, "status" | "reason">;

export function targets(list: readonly string[], verdict: Verdict): readonly Row[] {
  return list.map((target) => ({ what: `the target ${target}`, target, ...verdict }));
}

export function hosts(list: readonly string[], verdict: Verdict): readonly Row[] {
  return list.map((host) => ({
    what: `the Host ${host === "" ? "that is empty" : host}`,
    host: [host],
    ...verdict,
  }));
}

export function origins(list: readonly string[], verdict: Verdict): readonly Row[] {
  return list.map((origin) => ({
    what: `the Origin ${origin === "" ? "that is empty" : origin}`,
    origin: [origin],
    ...verdict,
  }));
}

export function bearers(list: readonly string[], verdict: Verdict): readonly Row[] {
  return list.map((value) => ({
    what: `the Authorization ${value === "" ? "that is empty" : value}`,
    authorization: [value],
    ...verdict,
  }));
}

export function methods(list: readonly string[]): readonly Row[] {
  return list.map((method) => ({ what: method, method, status: 405, reason: "method" }));
}

export const PASSES: Verdict = { status: 200 };
const PATH = { status: 403, reason: "path" } as const;
export const HOST: Verdict = { status: 403, reason: "host" };
export const ORIGIN: Verdict = { status: 403, reason: "origin" };
export const NO_TOKEN: Verdict = { status: 401, reason: "no-token" };
export const MALFORMED: Verdict = { status: 401, reason: "token-malformed" };
const WRONG = { status: 401, reason: "wrong-token" } as const;
export const METHOD: Verdict = { status: 405, reason: "method" };

/** Heads for a host on 127.0.0.1:{port} (R4). */
export const LOOPBACK_ROWS: readonly Row[] = [
  { what: "what is right", ...PASSES },
  ...targets(["/mcp?", "/mcp?a=b", "/mcp?../x", "/mcp?access_token=x"], PASSES),
  ...targets(
    [
      "/",
      "/mcp/",
      "/MCP",
      "//mcp",
      "/mcp/x",
      "/mcpx",
      "/%6dcp",
      "/%256dcp",
      "/mcp%2f",
      "/mcp%3Fa",
      "/mcp%00",
      "/./mcp",
      "/x/../mcp",
      "/%2e%2e/mcp",
      "/mcp/.",
      "/mcp/..",
      "/mcp;a=b",
      "/mcp\\",
      "/\\mcp",
      "/?/mcp",
      "*",
      "http://127.0.0.1:{port}/mcp",
      "http://evil.example/mcp",
      "https://127.0.0.1:{port}/mcp",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      // J2: a local endpoint that starts what its query says.
      "/sse?transportType=stdio&command=touch&args=/tmp/x",
    ],
    PATH,
  ),
  { what: "an authority as the target", target: "127.0.0.1:{port}", notOnWire: true, ...PATH },
  ...hosts(
    [
      "",
      "localhost",
      "localhost:{port}",
      "127.0.0.1",
      "127.0.0.1:",
      "127.0.0.1:1",
      "127.0.0.1:0{port}",
      "127.0.0.1:{port}0",
      "127.0.0.1.:{port}",
      "127.0.0.1.evil.example:{port}",
      "127.0.0.1.evil.example",
      "evil.example",
      "evil.example:{port}",
      "evil@127.0.0.1:{port}",
      "127.0.0.1:{port}@evil.example",
      // J10.
      "localhost:1@evil",
      "[::1]:{port}",
      "[::1].evil.example",
      "[::ffff:127.0.0.1]:{port}",
      "0.0.0.0:{port}",
      "[::]:{port}",
      "127.1:{port}",
      "2130706433:{port}",
      "0x7f000001:{port}",
      "0x7f.1:{port}",
      "017700000001:{port}",
      "0177.0.0.1:{port}",
      "127.000.000.001:{port}",
      "127.0.0.2:{port}",
      "http://127.0.0.1:{port}",
      "127.0.0.1:{port}/",
      "127.0.0.1:{port}/mcp",
      "127.0.0.1:{port}#",
      "127.0.0.1:{port}, 127.0.0.1:{port}",
      "127.0.0.1:{port}, evil.example",
      "127.0.0.1 :{port}",
      "127.0.0.1%00:{port}",
      "127\u00b70\u00b70\u00b71:{port}",
    ],
    HOST,
  ),
  { what: "no Host", host: [], ...HOST },
  { what: "the same Host twice", host: ["{host}", "{host}"], ...HOST },
  { what: "another Host behind the right one", host: ["{host}", "evil.example"], ...HOST },
  { what: "the right Host behind another one", host: ["evil.example", "{host}"], ...HOST },
  { what: "a Host with spaces around it", host: ["  {host}  "], notOnWire: true, ...HOST },
  {
    what: "a wrong Host that a proxy is said to have had right",
    host: ["evil.example"],
    extra: ["X-Forwarded-Host: {host}"],
    ...HOST,
  },
  {
    what: "the right Host that a proxy is said to have had wrong",
    extra: ["X-Forwarded-Host: evil.example"],
    ...PASSES,
  },
  // J11: an Origin that is compared with the Host passes, since a rebound page sets both.
  {
    what: "a rebound name in Host and Origin",
    host: ["evil.example:{port}"],
    origin: ["http://evil.example:{port}"],
    ...HOST,
  },
  ...origins(["http://{host}"], PASSES),
  ...origins(
    [
      "",
      "null",
      "NULL",
      "http://evil.example",
      "http://{host}/",
      "HTTP://{host}",
      "https://{host}",
      "http://127.0.0.1",
      "http://127.0.0.1:1",
      "http://localhost:{port}",
      "http://[::1]:{port}",
      "http://0.0.0.0:{port}",
      "http://2130706433:{port}",
      "http://0x7f.1:{port}",
      "http://127.0.0.1.:{port}",
      "http://{host}.evil.example",
      "http://evil@{host}",
      "http://{host}@evil.example",
      "http://{host}, null",
      "http://{host} http://evil.example",
      "{host}",
      "file://",
      "chrome-extension://abcdefghijklmnop",
      "vscode-webview://abcdef",
    ],
    ORIGIN,
  ),
  { what: "the right Origin twice", origin: ["http://{host}", "http://{host}"], ...ORIGIN },
  {
    what: "another Origin behind the right one",
    origin: ["http://{host}", "http://evil.example"],
    ...ORIGIN,
  },
  { what: "an Origin in another case of its name", extra: ["oRIGIN: http://evil.example"], ...ORIGIN },
  ...bearers(["bearer {token}", "BEARER {token}", "Bearer   {token}"], PASSES),
  { what: "no Authorization", authorization: [], ...NO_TOKEN },
  ...bearers(
    [
      "",
      "Basic dXNlcjpwYXNz",
      "Token {token}",
      "{token}",
      "Bearer{token}",
      "Bearer\t{token}",
      "Bearer={token}",
      "Digest username=x",
    ],
    NO_TOKEN,
  ),
  ...bearers(
    [
      "Bearer",
      "Bearer {token} x",
      "Bearer {token},",
      "Bearer {token}, Bearer {token}",
      'Bearer "{token}"',
      "Bearer ={token}",
      "Bearer {token};",
      "Bearer {token}\u00e4",
      "Bearer to\u00a0ken",
    ],
    MALFORMED,
  ),
  { what: "the right token twice", authorization: ["Bearer {token}", "Bearer {token}"], ...MALFORMED },
  {
    what: "another scheme before the right token",
    authorization: ["Basic x", "Bearer {token}"],
    ...MALFORMED,
  },
  ...bearers(
    ["Bearer x", "Bearer {token}=", "Bearer {token}A", "Bearer A{token}", "Bearer undefined"],
    WRONG,
  ),
  {
    what: "the token for a proxy",
    authorization: [],
    extra: ["Proxy-Authorization: Bearer {token}"],
    ...NO_TOKEN,
  },
  { what: "the token as a cookie", authorization: [], extra: ["Cookie: token={token}"], ...NO_TOKEN },
  { what: "the token in the query", target: "/mcp?access_token={token}", authorization: [], ...NO_TOKEN },
  ...methods(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]),
  { what: "GET without the token", method: "GET", authorization: [], ...NO_TOKEN },
  {
    what: "a preflight of another site",
    method: "OPTIONS",
    origin: ["http://evil.example"],
    extra: ["Access-Control-Request-Method: POST"],
    ...ORIGIN,
  },
  {
    what: "nothing right: the path first",
    target: "/x",
    host: ["x"],
    origin: ["x"],
    authorization: [],
    ...PATH,
  },
  { what: "nothing right but the path: Host next", host: ["x"], origin: ["x"], authorization: [], ...HOST },
  { what: "nothing right but path and Host: Origin next", origin: ["x"], authorization: [], ...ORIGIN },
];

/** The lines of a row, with what it leaves out filled in. */
export function headLines(
  row: GateRow,
  { host, port, token }: { readonly host: string; readonly port: number; readonly token: string },
): {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
} {
  const fill = (text: string): string =>
    text.replaceAll("{host}", host).replaceAll("{port}", String(port)).replaceAll("{token}", token);
  const pairs = (name: string, values: readonly string[]): readonly (readonly [string, string])[] =>
    values.map((value) => [name, fill(value)]);
  return {
    method: row.method ?? "POST",
    target: fill(row.target ?? "/mcp"),
    headers: [
      ...pairs("Host", row.host ?? ["{host}"]),
      ...pairs("Origin", row.origin ?? []),
      ...pairs("Authorization", row.authorization ?? ["Bearer {token}"]),
      ...(row.extra ?? []).map((line): readonly [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), fill(line.slice(colon + 1).trim())];
      }),
    ],
  };
}
