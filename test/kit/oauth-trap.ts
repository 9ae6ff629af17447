import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import type { LoginOptions } from "../../src/composition/flows/oauth/login.ts";
import { createRedirectReceiver } from "../../src/adapters/node-http/redirect-receiver.ts";
import { visit } from "./oidc-browser.ts";

/** What may be at nobody's but the issuer's: where one of them turns up, a secret does. */
export const CODE = "code-5ecre7";
export const ACCESS = "access-5ecre7";
export const REFRESH = "refresh-5ecre7";
export const CLIENT_SECRET = "client-5ecre7";
const MARK = /5ecre7/;

export const PATHS = {
  resourceMetadata: "/.well-known/oauth-protected-resource/mcp",
  rootMetadata: "/.well-known/oauth-protected-resource",
  serverMetadata: "/.well-known/oauth-authorization-server",
} as const;

/** One server, and everything it was sent, as text. */
export interface Heard {
  readonly origin: string;
  /** `METHOD path` of every request, in order. */
  readonly lines: readonly string[];
  /** Requests that carry something marked, as `METHOD path`. */
  readonly marked: readonly string[];
  /** What was posted, in order. */
  readonly bodies: readonly string[];
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * An MCP server, its issuer, and a stranger, all on loopback. Everything is right until a test changes one
 * answer; whoever is given a secret is found out.
 */
export interface TrapWorld {
  readonly mcpUrl: string;
  readonly resource: Heard;
  readonly issuer: Heard;
  readonly stranger: Heard;
  /** Changes members of a document; `undefined` takes one away. */
  change(path: keyof typeof PATHS, members: Readonly<Record<string, unknown>>): void;
  /** Answers otherwise at a path of the MCP server (`resource`) or the issuer. */
  answer(where: "resource" | "issuer", path: string, answer: Answer): void;
  /** What the 401 says; `{resource}` and `{stranger}` stand for their origins. */
  challenge(text: string): void;
}

export async function startTrapWorld(t: TestContext): Promise<TrapWorld> {
  const resource = await listen(t);
  const issuer = await listen(t);
  const stranger = await listen(t);
  const mcpUrl = `${resource.origin}/mcp`;
  const documents: Record<keyof typeof PATHS, Record<string, unknown>> = {
    resourceMetadata: { resource: mcpUrl, authorization_servers: [issuer.origin] },
    rootMetadata: { resource: resource.origin, authorization_servers: [issuer.origin] },
    serverMetadata: {
      issuer: issuer.origin,
      authorization_endpoint: `${issuer.origin}/authorize`,
      token_endpoint: `${issuer.origin}/token`,
      registration_endpoint: `${issuer.origin}/register`,
      revocation_endpoint: `${issuer.origin}/revoke`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    },
  };
  const fill = (text: string): string =>
    text.replaceAll("{resource}", resource.origin).replaceAll("{stranger}", stranger.origin);
  let challenge = `Bearer resource_metadata="{resource}${PATHS.resourceMetadata}"`;

  for (const path of ["resourceMetadata", "rootMetadata"] as const) {
    resource.answers.set(PATHS[path], (response) => sendJson(response, documents[path]));
  }
  resource.answers.set("/mcp", (response) => {
    response.writeHead(401, challenge === "" ? {} : { "www-authenticate": fill(challenge) }).end();
  });
  issuer.answers.set(PATHS.serverMetadata, (response) => sendJson(response, documents.serverMetadata));
  issuer.answers.set("/token", (response) => {
    sendJson(response, {
      access_token: ACCESS,
      refresh_token: REFRESH,
      token_type: "Bearer",
      expires_in: 3_600,
    });
  });
  issuer.answers.set("/revoke", (response) => void response.writeHead(200).end());
  return {
    mcpUrl,
    resource,
    issuer,
    stranger,
    change: (path, members) => {
      for (const [name, value] of Object.entries(members)) {
        documents[path][name] = typeof value === "string" ? fill(value) : value;
      }
    },
    answer: (where, path, answer) => {
      (where === "resource" ? resource : issuer).answers.set(path, answer);
    },
    challenge: (text) => {
      challenge = text;
    },
  };
}

/** Sends a client on to the same path of another origin. */
export function redirectTo(origin: string, status = 307): Answer {
  return (response, request) => {
    response.writeHead(status, { location: `${origin}${request.url ?? ""}` }).end();
  };
}

export type Redirect = Readonly<Record<string, string>>;

/**
 * A person whose browser is a test: no page is asked for. `browse` gets the parameters of a right redirect and
 * answers the whole URL to come back with, once it has done to the listener whatever it likes.
 */
export function personWith(
  issuer: string,
  browse: (redirectUri: string, right: Redirect) => Promise<string> | string,
): Pick<LoginOptions, "receiver" | "showPage"> {
  return {
    receiver: createRedirectReceiver(),
    showPage: async (authorizationUrl) => {
      const { searchParams } = new URL(authorizationUrl);
      const redirectUri = searchParams.get("redirect_uri") ?? "";
      const right = { code: CODE, state: searchParams.get("state") ?? "", iss: issuer };
      const back = await browse(redirectUri, right);
      void visit(back);
      return true;
    },
  };
}

export function redirectUrl(redirectUri: string, parameters: Redirect): string {
  return `${redirectUri}?${new URLSearchParams(parameters).toString()}`;
}

interface Listening extends Heard {
  readonly answers: Map<string, Answer>;
}

async function listen(t: TestContext): Promise<Listening> {
  const lines: string[] = [];
  const marked: string[] = [];
  const bodies: string[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    // A client that stops reading in the middle is what some tests are about.
    response.on("error", () => undefined);
    void (async () => {
      const { method = "", url = "", rawHeaders } = request;
      const path = url.replace(/\?.*$/, "");
      lines.push(`${method} ${path}`);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      if (body !== "") bodies.push(body);
      const said = [url, ...rawHeaders.map(decodeBasic), body].join("\n");
      if (MARK.test(said)) marked.push(`${method} ${path}`);
      const answer = answers.get(path);
      if (answer === undefined) response.writeHead(404).end();
      else answer(response, request);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    marked,
    bodies,
    answers,
  };
}

/** A secret in `Basic` is a secret. */
function decodeBasic(header: string): string {
  const [, encoded] = /^Basic (\S+)$/.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString();
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
