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

function targets(list: readonly string[], verdict: Pick<Row, "status" | "reason">): readonly Row[] {
  return list.map((target) => ({ what: `the target ${target}`, target, ...verdict }));
}

function hosts(list: readonly string[], verdict: Pick<Row, "status" | "reason">): readonly Row[] {
  return list.map((host) => ({
    what: `the Host ${host === "" ? "that is empty" : host}`,
    host: [host],
    ...verdict,
  }));
}

function origins(list: readonly string[], verdict: Pick<Row, "status" | "reason">): readonly Row[] {
  return list.map((origin) => ({
    what: `the Origin ${origin === "" ? "that is empty" : origin}`,
    origin: [origin],
    ...verdict,
  }));
}

function bearers(list: readonly string[], verdict: Pick<Row, "status" | "reason">): readonly Row[] {
  return list.map((value) => ({
    what: `the Authorization ${value === "" ? "that is empty" : value}`,
    authorization: [value],
    ...verdict,
  }));
}

function methods(list: readonly string[]): readonly Row[] {
  return list.map((method) => ({ what: method, method, status: 405, reason: "method" }));
}

const PASSES = { status: 200 } as const;
const PATH = { status: 403, reason: "path" } as const;
const HOST = { status: 403, reason: "host" } as const;
const ORIGIN = { status: 403, reason: "origin" } as const;
const NO_TOKEN = { status: 401, reason: "no-token" } as const;
const MALFORMED = { status: 401, reason: "token-malformed" } as const;
const WRONG = { status: 401, reason: "wrong-token" } as const;
const METHOD = { status: 405, reason: "method" } as const;

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

const NOT_FOUND = { status: 404, reason: "path" } as const;
const PLACE = "/.well-known/oauth-protected-resource/mcp";

/** Heads for a host whose public URL is https://mcp.example.com/mcp (R5). `{token}` is a valid token. */
export const REMOTE_ROWS: readonly Row[] = [
  { what: "what is right", ...PASSES },
  ...hosts(["MCP.Example.COM", "mcp.example.com:443"], PASSES),
  ...hosts(
    [
      "",
      "mcp.example.com.",
      "mcp.example.com:",
      "mcp.example.com:80",
      "mcp.example.com:0443",
      "mcp.example.com:8443",
      "example.com",
      "a.mcp.example.com",
      "mcp.example.com.evil.example",
      "mcp.example.com@evil.example",
      "evil@mcp.example.com",
      "https://mcp.example.com",
      "mcp.example.com/mcp",
      "mcp.example.com, evil.example",
      // The place it listens at is not the place it is.
      "127.0.0.1:{port}",
      "localhost:{port}",
    ],
    HOST,
  ),
  { what: "no Host", host: [], ...HOST },
  { what: "the same Host twice", host: ["{host}", "{host}"], ...HOST },
  {
    what: "a Host that a proxy is said to have had",
    host: ["127.0.0.1"],
    extra: ["X-Forwarded-Host: {host}", "Forwarded: host={host}"],
    ...HOST,
  },
  ...origins(["https://mcp.example.com"], PASSES),
  ...origins(
    [
      "",
      "null",
      "http://mcp.example.com",
      "https://mcp.example.com:443",
      "https://MCP.example.com",
      "https://mcp.example.com/",
      "https://evil.example",
      "http://127.0.0.1:{port}",
    ],
    ORIGIN,
  ),
  { what: "metadata", method: "GET", target: PLACE, authorization: [], ...PASSES },
  { what: "the head of metadata", method: "HEAD", target: PLACE, authorization: [], ...PASSES },
  { what: "metadata with a query", method: "GET", target: `${PLACE}?a=b`, authorization: [], ...PASSES },
  { what: "metadata posted to", method: "POST", target: PLACE, ...METHOD },
  { what: "metadata asked for by another Host", method: "GET", target: PLACE, host: ["x"], ...HOST },
  { what: "metadata asked for by another Origin", method: "GET", target: PLACE, origin: ["null"], ...ORIGIN },
  ...targets(
    [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-authorization-server",
      `${PLACE}/`,
      "/.well-known/oauth-protected-resource/%6dcp",
      "/.well-known/../mcp",
      "/",
      "/mcp/",
      "/MCP",
      "//mcp",
      "/%6Dcp",
      "https://mcp.example.com/mcp",
    ],
    NOT_FOUND,
  ),
  { what: "no Authorization", authorization: [], ...NO_TOKEN },
  ...bearers(["Basic x", "{token}"], NO_TOKEN),
  ...bearers(["Bearer", "Bearer {token} x"], MALFORMED),
  { what: "the valid token twice", authorization: ["Bearer {token}", "Bearer {token}"], ...MALFORMED },
  ...bearers(["Bearer refused-signature"], { status: 401, reason: "token-signature" }),
  // J13.
  ...bearers(["Bearer refused-audience"], { status: 401, reason: "token-audience" }),
  ...bearers(["Bearer refused-expired"], { status: 401, reason: "token-expired" }),
  ...bearers(["Bearer refused-principal"], { status: 401, reason: "token-principal" }),
  ...bearers(["Bearer refused-insufficient-scope", "Bearer without-scope"], {
    status: 403,
    reason: "token-insufficient-scope",
  }),
  ...bearers(["Bearer refused-keys-unavailable"], { status: 503, reason: "token-keys-unavailable" }),
  ...bearers(["Bearer throws"], { status: 503, reason: "verifier-failed" }),
  // J14: a principal that never ends.
  ...bearers(["Bearer without-expiry"], { status: 401, reason: "token-claims" }),
  ...bearers(["Bearer over"], { status: 401, reason: "token-expired" }),
  ...methods(["GET", "DELETE", "OPTIONS"]),
  { what: "GET without a token", method: "GET", authorization: [], ...NO_TOKEN },
  { what: "nothing right: Host first", target: "/x", host: ["x"], origin: ["x"], authorization: [], ...HOST },
  {
    what: "nothing right but the Host: Origin next",
    target: "/x",
    origin: ["x"],
    authorization: [],
    ...ORIGIN,
  },
  { what: "neither path nor token: the path next", target: "/x", authorization: [], ...NOT_FOUND },
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
